import type { JsonObject, LmIdentity } from "../../contract/index.ts";
import { promptLayout } from "../../contract/index.ts";
import { contentHash, deepFreeze } from "../../internal/index.ts";
import type { Budget, PriceTable } from "../budget/index.ts";
import type { Optimizer, RandomSources } from "../contract/optimizer.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Mock } from "../../mock/index.ts";
import { isRehearsal } from "../../mock/index.ts";

export interface DescribedRun {
  readonly optimizer: Optimizer;
  readonly seed: number;
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly coverageFloor: number;
  readonly repetitions: number;
  /** The number of retries after a fault determines what stays unscored. */
  readonly faultRetries: number;
  /** Absent: the engine's own. */
  readonly randomSources: RandomSources | undefined;
}

interface DescribedProgramRun extends DescribedRun {
  readonly lm: LmIdentity;
  readonly lms: Readonly<Record<string, LmIdentity>>;
  readonly reflectionLm: LmIdentity;
  /** Absent: `lm` does the judging. */
  readonly judgeLm?: LmIdentity;
  /** Absent: the student is the teacher, or there is none. */
  readonly teacherLm?: LmIdentity;
  readonly mocks: readonly Mock[];
  /** Whether candidates include their latency. */
  readonly measuresLatency: boolean;
  /** Whether tools with side effects may run. */
  readonly allowsSideEffects: boolean;
}

/** Everything a run's trajectory depends on, as plain JSON: the head of its journal. */
export function describeRun<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  { leftOut }: Pick<SearchSpace, "leftOut">,
  {
    lm,
    lms,
    reflectionLm,
    judgeLm,
    teacherLm,
    mocks,
    measuresLatency,
    allowsSideEffects,
    ...run
  }: DescribedProgramRun,
): JsonObject {
  const { program, trainset, objective, gold } = task;
  // Those of LMs are in their identities, unless no LM is asked, as by a lexical judge.
  const asked = new Set([lm, reflectionLm, judgeLm, teacherLm, ...Object.values(lms)].map(idOf));
  const played = mocks.filter((each) => !isRehearsal([each]) || !asked.has(idOf(each)));
  return plainRunDescription(run, {
    program: {
      name: program.name,
      version: program.version,
      promptLayout,
      components: contentHash(program.components()),
      ...(Object.keys(program.parameters).length > 0 && {
        parameters: contentHash(program.parameters),
      }),
      signatures: Object.fromEntries(
        Object.entries(program.predictors).map(([name, { kind, signature, driver, settings }]) => [
          name,
          { kind, hash: signature.hash, driver: driver.name, settings },
        ]),
      ),
    },
    trainset: { name: trainset.name, version: trainset.version, checksum: trainset.checksum },
    objective: { name: objective.name, version: objective.version },
    // Runs that began before any example was left out ran these too.
    ...(leftOut && { leftOut }),
    ...(gold && { gold: hashOfGold(task) }),
    lm,
    ...(Object.keys(lms).length === 0 ? {} : { lms }),
    reflectionLm,
    ...(judgeLm && { judgeLm }),
    ...(teacherLm && { teacherLm }),
    ...(played.length > 0 && { mocks: played }),
    ...(measuresLatency && { measuresLatency }),
    ...(allowsSideEffects && { allowsSideEffects }),
  });
}

/** The same for any kind of search. */
export function plainRunDescription(
  {
    optimizer,
    seed,
    budget,
    prices,
    coverageFloor,
    repetitions,
    faultRetries,
    randomSources,
  }: DescribedRun,
  searched: object,
): JsonObject {
  const description = {
    optimizer: { name: optimizer.name, version: optimizer.version, settings: optimizer.settings },
    seed,
    budget,
    ...(prices === undefined ? {} : { prices }),
    coverageFloor,
    ...(repetitions === 1 ? {} : { repetitions }),
    faultRetries,
    ...(randomSources === undefined ? {} : { randomSources: randomSources.name }),
    ...searched,
  };
  return deepFreeze(JSON.parse(JSON.stringify(description)) as JsonObject);
}

function idOf(identity: LmIdentity | undefined): string {
  return `${identity?.provider} ${identity?.model}`;
}

/** Of all that labels say of train, by predictor and example. */
export function hashOfGold<TInput, TOutput, TLabels>({
  gold = {},
  trainset: { splits },
}: Pick<OptimizerTask<TInput, TOutput, TLabels>, "gold" | "trainset">): string {
  const parts = Object.entries(gold).map(([name, partOf]) => [name, splits.train.map(partOf)]);
  return contentHash(parts);
}
