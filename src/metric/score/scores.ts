import type { Blame, NotApplicable, Scored, Unscored } from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import { EspalierError } from "../../errors/index.ts";

declare const literalPath: unique symbol;

/**
 * Types alone: the blame paths that are written out in a call of `scored()`, `never` if they are
 * known only at run time. A score of an annotated type has none, so that a study can tell the two.
 */
export interface LiteralPaths<TPath extends string> {
  readonly [literalPath]?: TPath;
}

/**
 * A score; higher is better. Throws `metric-failed` for a non-finite number anywhere in it, since
 * NaN would silently spread through every mean.
 */
export function scored<const TPath extends string = string>(
  value: number,
  feedback?: string,
  blame?: readonly Blame<TPath>[],
  objectives?: Readonly<Record<string, number>>,
  // Paths that are known only at run time fit every program.
): Scored<string extends TPath ? never : TPath> &
  LiteralPaths<string extends TPath ? never : TPath> {
  refuseNonFinite(value, "value");
  for (const { path, score = 0 } of blame ?? []) refuseNonFinite(score, `blame on \`${path}\``);
  for (const [name, held] of Object.entries(objectives ?? {})) {
    refuseNonFinite(held, `objective \`${name}\``);
  }
  return Object.freeze({
    kind: "scored",
    value,
    ...(feedback === undefined ? {} : { feedback }),
    ...(blame === undefined ? {} : { blame: blame as readonly Blame<never>[] }),
    ...(objectives === undefined ? {} : { objectives }),
  });
}

/** The metric does not apply to this example, for example because it has no annotation. */
export function notApplicable(reason: string): NotApplicable {
  return Object.freeze({ kind: "not-applicable", reason });
}

/** A fault prevented judging; the kind of failure decides whether it is retried. */
export function unscored(failure: Failure): Unscored {
  return Object.freeze({ kind: "unscored", failure });
}

function refuseNonFinite(value: number, what: string): void {
  if (Number.isFinite(value)) return;
  throw new EspalierError({
    code: "metric-failed",
    problem: `A score's ${what} is not a finite number`,
    expected: "a finite number, higher is better",
    got: String(value),
    fix: "Return `notApplicable(reason)` if there is nothing to judge, or check for a division by zero.",
  });
}
