import type { BootstrapFewShotOptions, FewShotSettings } from "./few-shot-settings.ts";
import { fewShotSettings, describeFewShot } from "./few-shot-settings.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { uncovered } from "./bootstrap.ts";
import { raceCost } from "./race-sets.ts";
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
    version: "6",
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

/**
 * What a budget allows. A set costs a quarter of val where it is left behind at once, and all of it
 * at most. Throws `component-unknown` for a space without demonstrations, `part-missing` for one
 * without the embedder that the settings name.
 */
function fewShotPlan(
  space: SearchSpace,
  { metricCalls = Infinity }: Budget,
  settings: FewShotSettings,
  hasTeacher: boolean,
): OptimizerPlan {
  const { name, components, val, embedder } = space;
  const { trials, nearest } = settings;
  if (!components.some(({ kind }) => kind === "demos")) throw noDemonstrations(name);
  if (nearest?.by === "embedder" && embedder === undefined) throw noEmbedder(name);
  const predictors = predictorCount(components);
  const afterSeed = Math.max(0, metricCalls - val.length);
  const bootstrapping = Math.min(
    uncovered(space, settings, hasTeacher).length,
    Math.floor(afterSeed / 3),
  );
  const left = afterSeed - bootstrapping;
  const quarter = raceCost(1, Math.ceil(val.length / 4));
  const perSet = raceCost(8, val.length) / 8;
  const tried = (cost: number): number => Math.min(trials, Math.floor(left / cost));
  const proposals = {
    least: tried(val.length),
    expected: tried(perSet),
    most: tried(quarter),
  };
  const raced = Math.min(left, Math.ceil(proposals.expected * perSet));
  const taught = bootstrapping * predictors;
  const student = (val.length + raced) * predictors + (hasTeacher ? 0 : taught);
  return {
    seedEvaluation: val.length,
    perProposal: { refused: quarter, accepted: val.length },
    proposals,
    fullValidations: 1 + proposals.least,
    calls: { student, reflection: 0, ...(hasTeacher && { teacher: taught }) },
    examplesPerText: 0,
    warnings:
      proposals.expected >= trials
        ? []
        : [
            `The budget covers about ${proposals.expected} of ${trials} sets of demonstrations, after ${val.length} metric calls for the seed and up to ${bootstrapping} for runs on train.`,
          ],
  };
}

function noDemonstrations(name: string): EspalierError {
  return new EspalierError({
    code: "component-unknown",
    problem: `\`${name}\` has no predictor whose demonstrations bootstrapFewShot() could choose`,
    expected: "a program with predictors",
    got: "texts alone",
    fix: "Search texts with `gepa()`.",
  });
}

function noEmbedder(name: string): EspalierError {
  return new EspalierError({
    code: "part-missing",
    problem: `bootstrapFewShot() is to choose demonstrations by an embedder, and \`${name}\` has none`,
    expected: "a study whose program has one: `program.withEmbedder(parts.embedder())`",
    fix: 'Give it one, or choose by words: `nearest: { by: "words" }`',
  });
}
