import type { Example } from "../contract/index.ts";

/** The value of one of an example's labels; `undefined` if it has no such label. */
export function labelOf({ labels }: Pick<Example, "labels">, name: string): unknown {
  if (typeof labels !== "object" || labels === null || !Object.hasOwn(labels, name))
    return undefined;
  return (labels as Readonly<Record<string, unknown>>)[name];
}
