import type { Proposer } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import type { CoupledExample, CoupledTask } from "../../support/yardstick/coupled-task.ts";
import { coupledMean, coupledTextTask } from "../../support/yardstick/coupled-task.ts";
import { standInReflection } from "../../support/yardstick/stand-in-reflection.ts";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";
import { gepaWith } from "../../optimizer/support/gepa-with.ts";

/** One run of an engine, evaluated with true scores. */
export interface RunFigures {
  readonly task: number;
  readonly seed: number;
  /** Mean over val, and over test, of the candidate that the engine returned. */
  readonly val: number;
  readonly test: number;
  readonly metricCalls: number;
  /** Texts requested from the stand-in. */
  readonly reflectionCalls: number;
}

export interface EspalierRun {
  readonly metricCalls: number;
  readonly reflectionCalls: number;
  readonly seed: number;
  /** Differences from the shipped defaults. */
  readonly options?: FlatGepaOptions;
  readonly neverRepeats?: boolean;
  readonly concurrency?: number;
  /** Simulates an LM call: one for each text that an example uses, one for each new text. */
  readonly call?: () => Promise<void>;
}

/**
 * One search. Counts rollouts and texts itself instead of trusting the engine. Throws if a cap is
 * exceeded, if the engine's counts differ, or if reflection sees anything from an example outside
 * train.
 */
export async function runEspalier(task: CoupledTask, run: EspalierRun): Promise<RunFigures> {
  const { metricCalls, reflectionCalls, seed, options, concurrency = 16, call } = run;
  const textTask = coupledTextTask(task, seed);
  let rollouts = 0;
  const inTrain = new Set(task.train.map(({ id }) => id));
  const standIn = standInReflection(task.seed, { neverRepeats: run.neverRepeats ?? false });
  const proposer: Proposer = {
    ...standIn,
    propose: async (requests, lent) => {
      for (const { exampleId } of requests.flatMap(({ cases }) => cases)) {
        if (!inTrain.has(exampleId)) throw new Error(`Reflection was shown \`${exampleId}\`.`);
      }
      if (call !== undefined) await Promise.all(requests.map(() => call()));
      return standIn.propose(requests, lent);
    },
  };
  const { texts, spent } = await optimizeTexts(
    {
      ...textTask,
      evaluate: (candidate, example, given) => {
        rollouts++;
        return call === undefined
          ? textTask.evaluate(candidate, example, given)
          : afterCalls(example, call, () => textTask.evaluate(candidate, example, given));
      },
    },
    {
      optimizer: gepaWith({ ...options, proposer }),
      seed,
      concurrency,
      budget: { metricCalls, reflectionCalls },
    },
  );
  const written = standIn.calls;
  const isTrue = spent.metricCalls === rollouts && spent.reflectionCalls === written;
  if (!isTrue || rollouts > metricCalls || written > reflectionCalls) {
    throw new Error(
      `${rollouts} rollouts and ${written} texts were requested, of at most ${metricCalls} and ` +
        `${reflectionCalls}; the engine reports ${spent.metricCalls} and ${spent.reflectionCalls}.`,
    );
  }
  return {
    task: task.seed,
    seed,
    val: coupledMean(task, "val", texts),
    test: coupledMean(task, "test", texts),
    metricCalls: rollouts,
    reflectionCalls: written,
  };
}

/** Calls run one after the other, like the steps of a program. */
async function afterCalls<TResult>(
  { needs }: CoupledExample,
  call: () => Promise<void>,
  then: () => TResult | Promise<TResult>,
): Promise<TResult> {
  for (const _ of Object.keys(needs)) await call();
  return then();
}
