import type { Example } from "../contract/index.ts";

/** The value of one of an example's labels; `undefined` if it has no such label. */
export function labelOf({ labels }: Pick<Example, "labels">, name: string): unknown {
  if (typeof labels !== "object" || labels === null || !Object.hasOwn(labels, name))
    return undefined;
  return (labels as Readonly<Record<string, unknown>>)[name];
}

/**
 * The texts that a label holds: numbers and truth values as texts, each of a list; none if the
 * example lacks the label.
 */
export function labelTexts(example: Pick<Example, "labels">, name: string): readonly string[] {
  const value = labelOf(example, name);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((each) =>
    typeof each === "string" || typeof each === "number" || typeof each === "boolean"
      ? [String(each)]
      : [],
  );
}
