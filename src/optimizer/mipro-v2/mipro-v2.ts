import type { Optimizer } from "../contract/optimizer.ts";
import { miproV2Plan } from "./mipro-v2-plan.ts";
import type { MiproV2Options } from "./settings/mipro-v2-settings.ts";
import { describeMiproV2, miproV2Settings } from "./settings/mipro-v2-settings.ts";

/**
 * Searches instructions and demonstrations together, as MIPROv2 (K. Opsahl-Ong et al., EMNLP 2024,
 * arXiv 2406.11695) in DSPy 3.4 does: runs on train give sets of demonstrations; the reflection LM
 * writes instructions from a summary of the data, a description of the program, demonstrations and
 * a tip; then a tree-structured Parzen estimator suggests one instruction and one set for every
 * predictor, and a setting of the program's parameters, to be tried on minibatches of val, and the
 * best are run on the rest of it.
 *
 * Its sizes follow from a hard budget. Unlike DSPy's, it pays for no instruction that it does not
 * try, weighs results by the examples behind them, takes a fault for no score, and runs no example
 * of val twice with one candidate. Where the budget allows, more instructions are written in later
 * rounds, from runs of the best combination so far. Unlike `jointSearch()`, it has no model of what
 * single demonstrations bring.
 *
 * @example
 * study({ program, trainset, objective, optimizer: miproV2({ budget: { metricCalls: 500 } }) })
 * @throws EspalierError `option-invalid`
 */
export function miproV2(options: MiproV2Options = {}): Optimizer {
  const { seed = 0, budget, teacher, reflection } = options;
  const settings = miproV2Settings(options);
  const hasTeacher = teacher?.lm !== undefined;
  return Object.freeze({
    name: "mipro-v2",
    version: "3",
    seed,
    ...(budget && { budget }),
    ...(reflection?.lm && { reflectionLm: reflection.lm }),
    ...(teacher?.lm && { teacherLm: teacher.lm }),
    settings: { ...describeMiproV2(settings) },
    doPlan: (space, cap) => miproV2Plan(space, cap, { settings, hasTeacher }),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { runMiproV2 } = await import("./run-mipro-v2.ts");
      return runMiproV2(space, run, settings);
    },
  } satisfies Optimizer);
}
