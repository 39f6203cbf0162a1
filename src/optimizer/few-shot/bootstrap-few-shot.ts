import type { BootstrapFewShotOptions, FewShotSettings } from "./few-shot-settings.ts";
import { fewShotSettings } from "./few-shot-settings.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { uncovered } from "./bootstrap.ts";
import { panelSize, raceCost } from "./race-sets.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * Searches demonstrations: runs the program, or a teacher, on train, takes what each predictor did
 * in runs that pass, adds what labels say, and races sets of them on val. DSPy's BootstrapFewShot
 * and BootstrapFewShotWithRandomSearch, with their order of sets and numbers of demonstrations;
 * unlike them, it keeps a hard budget, draws each predictor's demonstrations by itself, and drops
 * sets that fall behind early. Examples whose labels tell all are not run. It also tries what
 * DSPy's KNNFewShot does: at each call, the demonstrations nearest to its inputs. Instructions stay
 * as they are. It ends by itself; a budget may end it earlier.
 *
 * @example study({ program, trainset, objective, optimizer: bootstrapFewShot({ trials: 16 }) })
 * @throws EspalierError `option-invalid`
 */
export function bootstrapFewShot(options: BootstrapFewShotOptions = {}): Optimizer {
  const { seed = 0, budget, teacher } = options;
  const settings = fewShotSettings(options);
  return Object.freeze({
    name: "bootstrap-few-shot",
    version: "7",
    seed,
    ...(budget === undefined ? {} : { budget }),
    ...(teacher?.lm && { teacherLm: teacher.lm }),
    asksReflection: false,
    endsByItself: true,
    settings,
    doPlan: (space, cap) => fewShotPlan(space, cap, settings, teacher?.lm !== undefined),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { searchDemonstrations } = await import("./search-demonstrations.ts");
      return searchDemonstrations(space, run, settings);
    },
  } satisfies Optimizer);
}

/**
 * What a budget allows. Throws `component-unknown` for a space without demonstrations,
 * `part-missing` for one without the embedder that the settings name.
 */
function fewShotPlan(
  space: SearchSpace,
  { metricCalls = Infinity }: Budget,
  settings: FewShotSettings,
  hasTeacher: boolean,
): OptimizerPlan {
  const { name, components, embedder } = space;
  const panel = panelSize(space, metricCalls);
  const { trials, nearest } = settings;
  if (!components.some(({ kind }) => kind === "demos")) throw noDemonstrations(name);
  if (nearest?.by === "embedder" && embedder === undefined) throw noEmbedder(name);
  const predictors = predictorCount(components);
  const afterSeed = Math.max(0, metricCalls - panel);
  const bootstrapping = Math.min(
    uncovered(space, settings, hasTeacher).length,
    Math.floor(afterSeed / 3),
  );
  const left = afterSeed - bootstrapping;
  const perSet = raceCost(8, panel) / 8;
  const proposals = Math.min(trials, Math.floor(left / perSet));
  const raced = Math.min(left, Math.ceil(proposals * perSet));
  const taught = bootstrapping * predictors;
  const student = (panel + raced) * predictors + (hasTeacher ? 0 : taught);
  return {
    seedEvaluation: panel,
    proposals,
    calls: { student, reflection: 0, ...(hasTeacher && { teacher: taught }) },
    examplesPerText: 0,
    warnings:
      proposals >= trials
        ? []
        : [
            `The budget covers about ${proposals} of ${trials} sets of demonstrations, after ${panel} metric calls for the seed and up to ${bootstrapping} for runs on train.`,
          ],
  };
}

function noDemonstrations(name: string): EspalierError {
  return new EspalierError({
    code: "component-unknown",
    problem: `\`${name}\` has no predictor whose demonstrations bootstrapFewShot() can choose`,
    expected: "a program with predictors",
    got: "only texts",
    fix: "Search texts with `gepa()`.",
  });
}

function noEmbedder(name: string): EspalierError {
  return new EspalierError({
    code: "part-missing",
    problem: `bootstrapFewShot() needs an embedder to choose demonstrations, but \`${name}\` has none`,
    expected: "a study whose program has one: `program.withEmbedder(parts.embedder())`",
    fix: 'Give it one, or choose by words: `nearest: { by: "words" }`',
  });
}
