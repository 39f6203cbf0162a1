import type { OptimizerRun } from "../contract/optimizer.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import type { Setting } from "../parameter-search/setting.ts";
import type { Outcomes } from "./outcomes.ts";
import { valuesToTry } from "./values-to-try.ts";
import type { WeighedParameter } from "./weighed-parameters.ts";

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
const mostPasses = 5;

export function fitter({
  run,
  known,
  weights,
  steps,
  isStopped,
}: {
  readonly run: OptimizerRun;
  readonly known: Outcomes;
  readonly weights: readonly WeighedParameter[];
  readonly steps: number;
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
    for (let pass = 0; pass < mostPasses; pass++) {
      const before = best;
      for (const weight of weights) {
        if (isStopped()) return best;
        const decisions = known.decisionsOn(ids);
        const from = best;
        for (const value of valuesToTry(weight, { decisions, weights, setting: from, steps })) {
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
