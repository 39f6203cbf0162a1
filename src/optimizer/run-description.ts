import type { Json, JsonObject, LmIdentity } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { contentHash } from "../internal/index.ts";
import type { Budget, PriceTable } from "./budget/index.ts";
import type { Optimizer, OptimizerTask } from "./optimizer.ts";
import type { RandomSources } from "./random-sources.ts";

export interface DescribedRun {
  readonly optimizer: Optimizer;
  readonly seed: number;
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly coverageFloor: number;
  readonly repetitions: number;
  /** How often a fault is retried decides what stays unscored. */
  readonly faultRetries: number;
  /** Absent: the engine's own. */
  readonly randomSources: RandomSources | undefined;
}

export interface DescribedProgramRun extends DescribedRun {
  readonly lm: LmIdentity;
  readonly lms: Readonly<Record<string, LmIdentity>>;
  readonly reflectionLm: LmIdentity;
  /** Whether candidates are told how long they take. */
  readonly measuresLatency: boolean;
}

/** All that a run's trajectory depends on, as plain JSON: the head of its journal. */
export function describeRun<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  { lm, lms, reflectionLm, measuresLatency, ...run }: DescribedProgramRun,
): JsonObject {
  const { program, trainset, objective } = task;
  return plainRunDescription(run, {
    program: {
      name: program.name,
      version: program.version,
      components: contentHash(program.components()),
      signatures: Object.fromEntries(
        Object.entries(program.predictors).map(([name, { kind, signature, driver, settings }]) => [
          name,
          { kind, hash: signature.hash, driver: driver.name, settings },
        ]),
      ),
    },
    trainset: { name: trainset.name, version: trainset.version, checksum: trainset.checksum },
    objective: { name: objective.name, version: objective.version },
    lm,
    ...(Object.keys(lms).length === 0 ? {} : { lms }),
    reflectionLm,
    ...(measuresLatency && { measuresLatency }),
  });
}

/** The same, whatever is searched. */
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
  return JSON.parse(JSON.stringify(description)) as JsonObject;
}

/** Refuses to resume another run than the journal's, and names what differs. */
export function checkSameRun(recorded: JsonObject, now: JsonObject, folder: string): void {
  const differing = differences(recorded, now, "");
  if (differing.length === 0) return;
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "This is not the run that is to be resumed",
    where: folder,
    expected: differing.map(({ path, before }) => `${path} ${shown(before)}`).join(", "),
    got: differing.map(({ path, after }) => `${path} ${shown(after)}`).join(", "),
    fix: "Resume it with what it was begun with, or begin a new run.",
  });
}

interface Difference {
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

function differences(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(before[key], after[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: Json | undefined): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}
