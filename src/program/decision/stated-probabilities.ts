import type { JsonObject } from "../../contract/index.ts";
import { sharesOf } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";

/**
 * The probability of each label from outputs in which the model stated its confidence, as shares of
 * their sum. Labels without such an output divide evenly what the others leave of 1.
 *
 * @param statedIn output field by label
 * @returns `null` if a confidence is missing or all are 0
 */
export function statedProbabilities(
  outputs: JsonObject,
  labels: readonly string[],
  statedIn: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> | null {
  const stated = labels.map((label) => {
    const field = getOwn(statedIn, label);
    if (field === undefined) return null;
    const value = getOwn(outputs, field);
    return typeof value === "number" ? Math.max(0, value) : Number.NaN;
  });
  const sum = stated.reduce<number>((total, value) => total + (value ?? 0), 0);
  const others = stated.filter((value) => value === null).length;
  const each = Math.max(0, 1 - sum) / others;
  return sharesOf(Object.fromEntries(labels.map((label, at) => [label, stated[at] ?? each])));
}
