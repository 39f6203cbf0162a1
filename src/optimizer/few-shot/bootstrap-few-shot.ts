import type { Optimizer } from "../contract/optimizer.ts";
import { fewShotPlan } from "./few-shot-plan.ts";
import type { BootstrapFewShotOptions } from "./few-shot-settings.ts";
import { describeFewShot, fewShotSettings } from "./few-shot-settings.ts";

/**
 * Searches demonstrations: runs the program, or a teacher, on train, takes what each predictor did
 * in runs that pass, adds what labels say, and races sets of them on val. DSPy's BootstrapFewShot
 * and BootstrapFewShotWithRandomSearch, with their order of sets and numbers of demonstrations;
 * unlike them, it keeps a hard budget, draws each predictor's demonstrations by itself, drops sets
 * that fall behind early, and lets later sets follow what earlier rollouts say of each
 * demonstration. With `nearest` it also tries what DSPy's KNNFewShot does: at each call, the
 * demonstrations nearest to its inputs. Instructions stay as they are. It ends by itself; a budget
 * may end it earlier.
 *
 * @example study({ program, trainset, objective, optimizer: bootstrapFewShot({ trials: 16 }) })
 * @throws EspalierError `option-invalid`
 */
export function bootstrapFewShot(options: BootstrapFewShotOptions = {}): Optimizer {
  const { seed = 0, budget, teacher } = options;
  const settings = fewShotSettings(options);
  return Object.freeze({
    name: "bootstrap-few-shot",
    version: "3",
    seed,
    ...(budget === undefined ? {} : { budget }),
    ...(teacher?.lm && { teacherLm: teacher.lm }),
    asksReflection: false,
    endsByItself: true,
    settings: { ...describeFewShot(settings) },
    doPlan: (space, cap) => fewShotPlan(space, cap, settings, teacher?.lm !== undefined),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { searchDemonstrations } = await import("./search-demonstrations.ts");
      return searchDemonstrations(space, run, settings);
    },
  } satisfies Optimizer);
}
