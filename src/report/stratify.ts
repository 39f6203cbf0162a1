import { labelTexts } from "../trainset/index.ts";
import type { ComparedExample, Stratification } from "./data/run-comparison.ts";

/** More values than this are no groups to break a difference down by. */
const mostGroups = 24;

/**
 * Every label that divides the examples into groups: at least two and at most 24 values, texts,
 * numbers, truth values or lists of them, with two examples a group on average.
 */
export function stratify(examples: readonly ComparedExample[]): readonly Stratification[] {
  const labelled = examples.flatMap(({ labels }) =>
    typeof labels === "object" && labels !== null && !Array.isArray(labels)
      ? Object.keys(labels)
      : [],
  );
  return [...new Set(labelled)].flatMap((label) => {
    const values = examples.map(({ labels }) => labelTexts({ labels }, label));
    const groups = [...new Set(values.flat())].toSorted((one, other) =>
      one.localeCompare(other, "en", { numeric: true }),
    );
    const held = values.filter(({ length }) => length > 0).length;
    if (groups.length < 2 || groups.length > mostGroups || held < 2 * groups.length) return [];
    const numbers = new Map(groups.map((group, number) => [group, number]));
    const of = values.map((texts) => {
      const places = [...new Set(texts.flatMap((text) => numbers.get(text) ?? []))];
      const [only] = places;
      return only === undefined ? null : places.length === 1 ? only : places;
    });
    return [{ label, groups, of }];
  });
}
