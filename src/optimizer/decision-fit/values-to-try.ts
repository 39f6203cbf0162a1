import { getOwn } from "../../internal/index.ts";
import type { RolloutDecision } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/setting.ts";
import type { WeighedParameter } from "./weighed-parameters.ts";

/**
 * Values of one weight that lie between those at which a recorded decision changes, at most `steps`
 * of them, evenly among the decisions; nearest to the current value first.
 *
 * A label wins if its weight is above the best of the others, `max(w_j p_j) / p`.
 */
export function valuesToTry(
  { name, weighs, min, max }: WeighedParameter,
  {
    decisions,
    weights,
    setting,
    steps,
  }: {
    readonly decisions: readonly RolloutDecision[];
    /** All that may change. */
    readonly weights: readonly WeighedParameter[];
    readonly setting: Setting;
    readonly steps: number;
  },
): readonly number[] {
  const { predictor, field, label } = weighs;
  const same = weights.filter((w) => w.weighs.predictor === predictor && w.weighs.field === field);
  const weightOf = (other: string): number => {
    const weight = same.find((w) => w.weighs.label === other);
    return weight === undefined ? 1 : Number(getOwn(setting, weight.name));
  };
  const changes = decisions.flatMap((decision): number[] => {
    const { probabilities } = decision;
    if (decision.predictor !== predictor || decision.field !== field) return [];
    if (probabilities === null) return [];
    const others = Object.entries(probabilities)
      .filter(([other]) => other !== label)
      .map(([other, probability]) => probability * weightOf(other));
    return [Math.max(...others) / (getOwn(probabilities, label) ?? 0)];
  });
  const inside = changes.filter((change) => change > min && change < max);
  const ends = [min, ...new Set(inside.toSorted((left, right) => left - right)), max];
  const between = ends
    .slice(1)
    .map((end, place) => Number(Math.sqrt(end * (ends[place] ?? min)).toPrecision(6)));
  const current = Number(getOwn(setting, name));
  const distance = (value: number): number => Math.abs(Math.log(value / current));
  return spread([...new Set(between)], steps).toSorted(
    (one, other) => distance(one) - distance(other),
  );
}

/** At most `count` of the items, evenly among them, the first and the last included. */
function spread<TItem>(items: readonly TItem[], count: number): readonly TItem[] {
  if (items.length <= count) return items;
  const places = new Set(
    Array.from({ length: count }, (_, place) =>
      Math.round((place * (items.length - 1)) / (count - 1)),
    ),
  );
  return items.filter((_, place) => places.has(place));
}
