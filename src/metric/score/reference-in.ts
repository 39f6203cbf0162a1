import type { Example, Score } from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import { notApplicable, scored } from "./scores.ts";

type Referenced<TReference extends string> = { readonly [K in TReference]?: string };

/** Why a metric that compares with a reference does not apply. */
export const noReference = "There is no reference.";

/** The reference of an example; `undefined` if it is absent or blank. */
export function referenceIn<TReference extends string>(
  labels: Referenced<TReference>,
  reference: TReference,
): string | undefined {
  const held: string | undefined = labels[reference];
  return held === undefined || held.trim() === "" ? undefined : held;
}

/** A failed run scores 0 if there is a reference; without one, the metric does not apply. */
export function failureBeside<TReference extends string>(
  reference: TReference,
): (failure: Failure, example: Example<unknown, Referenced<TReference>>) => Score {
  return ({ message }, { labels }) =>
    referenceIn(labels, reference) === undefined ? notApplicable(noReference) : scored(0, message);
}
