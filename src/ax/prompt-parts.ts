import type { Field } from "../signature/index.ts";

/** What ax needs of a step: its current texts, not the declared ones. */
export interface PromptParts {
  readonly instruction: string;
  readonly input: readonly Field[];
  readonly output: readonly Field[];
}

const axSuffix = "OfOneLetter";

/** The name under which ax knows a field: it takes no name of one letter. */
export function axNameOf(name: string): string {
  return name.length === 1 ? `${name}${axSuffix}` : name;
}

/** Named values under ax's names. */
export function underAxNames<TValue>(
  values: Readonly<Record<string, TValue>>,
): Readonly<Record<string, TValue>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [axNameOf(name), value] as const),
  );
}

/** A text of ax's with the fields' own names. */
export function withOwnNames(text: string): string {
  return text.replaceAll(axNames, "$1");
}

const axNames = new RegExp(`\\b([a-z])${axSuffix}\\b`, "g");
