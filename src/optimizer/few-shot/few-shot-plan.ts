import { EspalierError } from "../../errors/index.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { FewShotSettings } from "./few-shot-settings.ts";
import { raceCost } from "./race-sets.ts";

/**
 * What a budget allows. A set costs a quarter of val where it is left behind at once, and all of it
 * at most. Throws `component-unknown` for a space without demonstrations, `part-missing` for one
 * without the embedder that the settings name.
 */
export function fewShotPlan(
  { name, components, train, val, embedder }: SearchSpace,
  { metricCalls = Infinity, lmCalls = Infinity }: Budget,
  { trials, rounds, nearest }: FewShotSettings,
  hasTeacher: boolean,
): OptimizerPlan {
  if (!components.some(({ kind }) => kind === "demos")) throw noDemonstrations(name);
  if (nearest?.by === "embedder" && embedder === undefined) throw noEmbedder(name);
  const predictors = predictorCount(components);
  const most = Math.min(metricCalls, lmCalls / Math.max(1, predictors));
  const afterSeed = Math.max(0, Math.floor(most) - val.length);
  const bootstrapping = Math.min(rounds * train.length, Math.floor(afterSeed / 3));
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
