import type { Optimizer } from "../contract/optimizer.ts";
import { parameterSearchPlan } from "./parameter-search-plan.ts";
import type { ParameterSearchOptions } from "./parameter-search-settings.ts";
import { describeSettings, parameterSearchSettings } from "./parameter-search-settings.ts";
import { settingsToTry } from "./settings-to-try.ts";
import { tunableParameters } from "./tunable.ts";

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
    version: "1",
    seed,
    ...(budget === undefined ? {} : { budget }),
    asksReflection: false,
    endsByItself: true,
    settings: { ...describeSettings(settings) },
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
