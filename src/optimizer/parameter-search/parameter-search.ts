import type { ParameterSearchOptions } from "./parameter-search-settings.ts";
import { parameterSearchSettings } from "./parameter-search-settings.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { SettingsToTry } from "./settings-to-try.ts";
import { settingsToTry } from "./settings-to-try.ts";
import { tunableParameters } from "./tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * Searches a program's numbers and choices, at random (Bergstra and Bengio, JMLR 13, 2012), over a
 * grid, or by the tree-structured Parzen estimator (Bergstra et al., NIPS 2011) as Optuna has it,
 * for the setting that is best on val; its texts stay unchanged. It reads no feedback and
 * calls only the program's own LM. It ends by itself; a budget may end it earlier.
 *
 * Unlike `gepa()`, which writes texts, it needs a program with `parameters`; for any other,
 * `doPlan` throws `component-unknown`.
 *
 * @example study({ program, trainset, objective, optimizer: parameterSearch({ method: "random",
 * trials: 100 }) })
 * @throws EspalierError `option-invalid`
 */
export function parameterSearch(options: ParameterSearchOptions = {}): Optimizer {
  const { seed = 0, budget } = options;
  const settings = parameterSearchSettings(options);
  return Object.freeze({
    name: "parameter-search",
    version: "2",
    seed,
    ...(budget === undefined ? {} : { budget }),
    asksReflection: false,
    endsByItself: true,
    settings,
    doPlan: (space, cap) => parameterSearchPlan(space, cap, toTry(space)),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { searchParameters } = await import("./search-parameters.ts");
      return searchParameters(space, run, toTry(space));
    },
  } satisfies Optimizer);

  function toTry(space: Parameters<Optimizer["doPlan"]>[0]) {
    return settingsToTry(tunableParameters(space, settings.parameters), settings);
  }
}

/** What a budget allows for a search over settings in addition to the program's own. */
function parameterSearchPlan(
  { components, val }: SearchSpace,
  { metricCalls: most = Infinity }: Budget,
  { count, minibatchSize }: Pick<SettingsToTry, "count" | "minibatchSize">,
): OptimizerPlan {
  const predictors = predictorCount(components);
  const whole = val.length;
  const perSetting = (Math.min(minibatchSize, whole) + whole) / 2;
  // A setting begins only if it could run on all of val.
  const affordable = Math.max(0, Math.floor((most - 2 * whole) / perSetting) + 1);
  const proposals = Math.min(count, affordable);
  return {
    seedEvaluation: whole,
    proposals,
    calls: {
      student: Math.round(Math.min(most, whole + proposals * perSetting)) * predictors,
      reflection: 0,
    },
    examplesPerText: 0,
    warnings:
      proposals === count
        ? []
        : [
            `The budget covers about ${proposals} of ${count} settings: each takes about ${Math.ceil(perSetting)} metric calls, and the program's own values take ${whole}.`,
          ],
  };
}
