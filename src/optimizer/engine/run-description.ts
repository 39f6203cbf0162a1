import type { JsonObject, LanguageModel, LmIdentity } from "../../contract/index.ts";
import { promptLayout } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { contentHash, deepFreeze } from "../../internal/index.ts";
import type { Budget, PriceTable } from "../budget/index.ts";
import { withReflectionCap } from "../budget/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";
import type { Optimizer, RandomSources } from "../contract/optimizer.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Mock } from "../../mock/index.ts";
import { isRehearsal } from "../../mock/index.ts";

export interface RunnerOptions {
  readonly optimizer: Optimizer;
  /** @default the optimizer's own */
  readonly budget?: Budget;
  /** Required for a budget in money, for every role that the run uses; 0 for free roles. */
  readonly prices?: PriceTable;
  /** @default the optimizer's own */
  readonly seed?: number;
  /** For reproducing runs of other engines. @default counter-based, by seed, stream and index */
  readonly randomSources?: RandomSources;
  /** Rollouts in flight; limits I/O only and changes no result. @default 16 */
  readonly concurrency?: number;
  /**
   * Runs per example, each a metric call; their mean is its score. For noisy metrics and
   * programs. @default 1
   */
  readonly repetitions?: number;
  /** Holds the journal. Absent: the run is kept in memory and cannot be resumed. */
  readonly runFolder?: string;
  /** Resumes the run in `runFolder`, which must be the same run. @default false */
  readonly resume?: boolean;
  /**
   * With `resume`, continues a run that an outside event ended, instead of only reporting it again;
   * if the run does not match, its end stays recorded. @default false
   */
  readonly reopen?: boolean;
  readonly signal?: AbortSignal;
  /**
   * Receives decisions in the documented order, and progress. Its throws and rejections do not end
   * the run; they are counted in the result. To end a run, give a `signal`.
   */
  readonly onEvent?: (event: OptimizerEvent | OptimizerProgress) => void;
  readonly clock?: Clock;
}

/** The options that the trajectory depends on, with their defaults. */
export interface DescribedRun {
  readonly optimizer: Optimizer;
  readonly seed: number;
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly repetitions: number;
  /** Absent: the engine's own. */
  readonly randomSources: RandomSources | undefined;
}

export function describedRun({
  optimizer,
  seed = optimizer.seed,
  budget = optimizer.budget ?? {},
  prices,
  repetitions = 1,
  randomSources,
}: RunnerOptions): DescribedRun {
  return {
    optimizer,
    seed,
    budget: withReflectionCap(budget, { ...optimizer, repetitions }),
    prices,
    repetitions,
    randomSources,
  };
}

/** Everything a run's trajectory depends on, as plain JSON: the head of its journal. */
export function describeRun<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  { leftOut }: Pick<SearchSpace, "leftOut">,
  run: DescribedRun,
  {
    lm,
    lms,
    reflectionLm,
    judgeLm,
    teacherLm,
    mocks,
    measuresLatency,
    allowsSideEffects,
  }: {
    readonly lm: LanguageModel;
    readonly lms: Readonly<Record<string, LanguageModel>>;
    readonly reflectionLm: LanguageModel;
    /** Absent: `lm` does the judging. */
    readonly judgeLm: LanguageModel | undefined;
    /** Absent: the student is the teacher, or there is none. */
    readonly teacherLm: LanguageModel | undefined;
    readonly mocks: readonly Mock[];
    readonly measuresLatency: boolean;
    readonly allowsSideEffects: boolean;
  },
): JsonObject {
  const { program, trainset, objective, gold } = task;
  const asked = [lm, reflectionLm, judgeLm, teacherLm, ...Object.values(lms)];
  // Those of LMs are in their identities, unless no LM is asked, as by a lexical judge.
  const ids = new Set(asked.map((each) => each && idOf(each.identity)));
  const played = mocks.filter((each) => !isRehearsal([each]) || !ids.has(idOf(each)));
  const identities = Object.entries(lms).map(([name, { identity }]) => [name, identity]);
  const { parameters, predictors } = program;
  return plainRunDescription(run, {
    program: {
      name: program.name,
      version: program.version,
      promptLayout,
      components: contentHash(program.components()),
      parameters: Object.keys(parameters).length > 0 ? contentHash(parameters) : undefined,
      signatures: Object.fromEntries(
        Object.entries(predictors).map(([name, { kind, signature, driver, settings }]) => [
          name,
          { kind, hash: signature.hash, driver: driver.name, settings },
        ]),
      ),
    },
    trainset: { name: trainset.name, version: trainset.version, checksum: trainset.checksum },
    objective: { name: objective.name, version: objective.version },
    leftOut,
    gold: gold && hashOfGold(task),
    lm: lm.identity,
    lms: identities.length > 0 ? Object.fromEntries(identities) : undefined,
    reflectionLm: reflectionLm.identity,
    judgeLm: judgeLm?.identity,
    teacherLm: teacherLm?.identity,
    mocks: played.length > 0 ? played : undefined,
    measuresLatency: measuresLatency || undefined,
    allowsSideEffects: allowsSideEffects || undefined,
  });
}

/** The same for any kind of search; what is `undefined` is left out. */
export function plainRunDescription(
  { optimizer: { name, version, settings }, randomSources, ...run }: DescribedRun,
  searched: object,
): JsonObject {
  const description = {
    optimizer: { name, version, settings },
    ...run,
    randomSources: randomSources?.name,
    ...searched,
  };
  return deepFreeze(JSON.parse(JSON.stringify(description)) as JsonObject);
}

function idOf({ provider, model }: Pick<LmIdentity, "provider" | "model">): string {
  return `${provider} ${model}`;
}

/** Of all that labels say of train, by predictor and example. */
export function hashOfGold<TInput, TOutput, TLabels>({
  gold = {},
  trainset: { splits },
}: Pick<OptimizerTask<TInput, TOutput, TLabels>, "gold" | "trainset">): string {
  const parts = Object.entries(gold).map(([name, partOf]) => [name, splits.train.map(partOf)]);
  return contentHash(parts);
}
