import type { WeighedLabel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { RolloutDecision } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/tunable.ts";
import { changeableParameters } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Maximum number of values tried of one weight at a time. */
export const steps = 25;

/** A weight that may change. */
export interface WeighedParameter {
  readonly name: string;
  readonly weighs: WeighedLabel;
  readonly min: number;
  readonly max: number;
  /** The program's own. */
  readonly value: number;
}

/** The weights of a space; throws `component-unknown` for a space without any. */
export function weighedParameters(space: SearchSpace): readonly WeighedParameter[] {
  const weights = changeableParameters(space).flatMap(
    ({ name, parameter, value }): readonly WeighedParameter[] => {
      if (parameter.kind === "choice" || parameter.weighs === undefined) return [];
      const { weighs, min, max } = parameter;
      return [{ name, weighs, min, max, value: Number(value) }];
    },
  );
  if (weights.length > 0) return weights;
  throw new EspalierError({
    code: "component-unknown",
    problem: `\`${space.name}\` has no weight that decisionFit() can change`,
    expected: "a program with weights",
    got: "none",
    fix: "Declare weights with `labelWeight()`, or search other parameters with `parameterSearch()`.",
  });
}

/**
 * Values of one weight that lie between those at which a recorded decision changes, at most `steps`
 * of them, evenly among the decisions; nearest to the current value first.
 *
 * A label wins if its weight is above the best of the others, `max(w_j p_j) / p`.
 */
export function valuesToTry(
  { name, weighs: { predictor, field, label }, min, max }: WeighedParameter,
  decisions: readonly RolloutDecision[],
  weights: readonly WeighedParameter[],
  setting: Setting,
): readonly number[] {
  const weightOf = (other: string): number => {
    const weight = weights.find(
      ({ weighs }) =>
        weighs.predictor === predictor && weighs.field === field && weighs.label === other,
    );
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
    .map((end, index) => Number(Math.sqrt(end * (ends[index] ?? min)).toPrecision(6)));
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
    Array.from({ length: count }, (_, index) =>
      Math.round((index * (items.length - 1)) / (count - 1)),
    ),
  );
  return items.filter((_, index) => places.has(index));
}
