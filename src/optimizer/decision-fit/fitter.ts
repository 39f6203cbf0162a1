import type { WeighedLabel } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Outcomes } from "./outcomes.ts";
import type { StepEvaluation, RolloutDecision } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/tunable.ts";

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

/** Fits weights to the objective over some examples. */
export interface Fitter {
  /** The program's own weights. */
  readonly own: Setting;
  /** The best weights found for these examples; the program's own unless others are better. */
  on(exampleIds: readonly string[]): Promise<Setting>;
  /** The objective over examples. */
  measured(setting: Setting, exampleIds: readonly string[]): Promise<StepEvaluation>;
  /** The objective over parts, each under weights of its own. */
  together(
    parts: readonly { readonly setting: Setting; readonly ids: readonly string[] }[],
  ): Promise<StepEvaluation>;
  /** A sentence on weights that were not counted; `undefined` if all were. */
  unfinished(): string | undefined;
}

/** Passes over all weights; a pass that improves nothing is the last. */
const maxPasses = 5;

export function fitter({
  run,
  known,
  weights,
  isStopped,
}: {
  readonly run: OptimizerRun;
  readonly known: Outcomes;
  readonly weights: readonly WeighedParameter[];
  /** Asked before each weight; the fit then ends with the best so far. */
  readonly isStopped: () => boolean;
}): Fitter {
  const own: Setting = Object.fromEntries(weights.map(({ name, value }) => [name, value]));
  const uncounted = new Set<string>();
  const measured: Fitter["measured"] = async (setting, ids) =>
    run.summarize("val", await known.at(setting, ids));

  /** `null` for weights under which some example did not finish: its score might be any. */
  const valueAt = async (setting: Setting, ids: readonly string[]): Promise<number | null> => {
    const { value, coverage } = await measured(setting, ids);
    if (coverage === 1) return value;
    uncounted.add(JSON.stringify(setting));
    return null;
  };

  const on: Fitter["on"] = async (ids) => {
    let best = own;
    let most = (await valueAt(own, ids)) ?? Number.NEGATIVE_INFINITY;
    for (let pass = 0; pass < maxPasses; pass++) {
      const before = best;
      for (const weight of weights) {
        if (isStopped()) return best;
        const decisions = known.decisionsOn(ids);
        const from = best;
        for (const value of valuesToTry(weight, { decisions, weights, setting: from })) {
          const setting = { ...from, [weight.name]: value };
          const found = await valueAt(setting, ids);
          if (found === null || found <= most) continue;
          [best, most] = [setting, found];
        }
      }
      if (best === before) break;
    }
    return best;
  };

  return {
    own,
    on,
    measured,
    together: async (parts) => {
      const rollouts = [];
      for (const { setting, ids } of parts) rollouts.push(...(await known.at(setting, ids)));
      return run.summarize("val", rollouts);
    },
    unfinished: () =>
      uncounted.size === 0
        ? undefined
        : `${uncounted.size} settings were not counted: ${known.unfinished()} examples could not be run under all of them.`,
  };
}

/**
 * Values of one weight that lie between those at which a recorded decision changes, at most `steps`
 * of them, evenly among the decisions; nearest to the current value first.
 *
 * A label wins if its weight is above the best of the others, `max(w_j p_j) / p`.
 */
function valuesToTry(
  { name, weighs, min, max }: WeighedParameter,
  {
    decisions,
    weights,
    setting,
  }: {
    readonly decisions: readonly RolloutDecision[];
    /** All that may change. */
    readonly weights: readonly WeighedParameter[];
    readonly setting: Setting;
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
