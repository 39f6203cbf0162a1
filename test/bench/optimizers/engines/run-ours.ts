import type { TextScore } from "espalier/optimizer";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import type { FlatGepaOptions } from "../../../optimizer/support/gepa-with.ts";
import { gepaWith } from "../../../optimizer/support/gepa-with.ts";
import { cpuMsSince } from "../../support/measure.ts";
import { stopwatch } from "../../support/stopwatch.ts";
import type { Environment, Texts } from "../environments/environment.ts";
import { trueMean } from "../environments/environment.ts";
import type { RunFigures, SearchLimits } from "./run-figures.ts";

export interface OurSetting {
  /** Differences from the shipped defaults. */
  readonly options?: FlatGepaOptions;
  /** @default 16 */
  readonly concurrency?: number;
  /** Simulates an LM call: one for each component that an example runs, one for each new text. */
  readonly call?: () => Promise<void>;
  /** Where the journal is kept. @default nowhere */
  readonly runFolder?: string;
}

/**
 * One search of ours. Counts rollouts and texts itself; throws if a cap is exceeded, if the engine
 * counts otherwise, or if reflection is shown an example outside train.
 */
export async function runOurs(
  environment: Environment,
  { metricCalls, texts: maxTexts = 1e6, run }: SearchLimits,
  { options = {}, concurrency = 16, call, runFolder }: OurSetting = {},
): Promise<RunFigures> {
  const { train, val } = environment;
  let [rollouts, written] = [0, 0];
  const watch = stopwatch();
  const inTrain = new Set(train);
  const proposer = customProposer("mock", ({ component, cases }) => {
    const shown = cases.find(({ exampleId }) => !inTrain.has(exampleId));
    if (shown !== undefined) throw new Error(`Reflection was shown \`${shown.exampleId}\`.`);
    const feedback = cases.map((one) => one.feedback);
    const { path, value: text } = component;
    const write = (): string =>
      watch.time(() =>
        environment.rewrite({ component: path, text, feedback, run, call: written++ }),
      );
    return call === undefined ? write() : call().then(write);
  });
  const roll = (candidate: Texts, id: string): TextScore =>
    watch.time(() => {
      const score = environment.rolloutScore(candidate, id, run, rollouts++);
      const feedback = environment.feedback(candidate, id, score);
      const says = Object.keys(feedback).length > 0;
      return { score, ran: environment.ran(id), ...(says && { feedback }) };
    });
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const { texts, reason, spent, candidates } = await optimizeTexts(
    {
      name: `bench-${environment.name}`,
      version: "1",
      texts: environment.texts,
      train: byId(train),
      val: byId(val),
      evaluate: (candidate, { id }) =>
        call === undefined
          ? roll(candidate, id)
          : inTurn(environment.ran(id), call).then(() => roll(candidate, id)),
    },
    {
      optimizer: gepaWith({ ...options, proposer }),
      seed: run,
      concurrency,
      budget: { metricCalls, reflectionCalls: maxTexts },
      ...(runFolder !== undefined && { runFolder }),
    },
  );
  const [wallMs, cpuMs] = [performance.now() - startedAt, cpuMsSince(cpu)];
  const isCounted = spent.metricCalls === rollouts && spent.reflectionCalls === written;
  if (!isCounted || rollouts > metricCalls || written > maxTexts) {
    throw new Error(
      `${rollouts} rollouts and ${written} texts were made, of at most ${metricCalls} and ` +
        `${maxTexts}; the engine reports ${spent.metricCalls} and ${spent.reflectionCalls}.`,
    );
  }
  return {
    task: environment.task,
    run,
    val: trueMean(environment, "val", texts),
    test: trueMean(environment, "test", texts),
    metricCalls: rollouts,
    texts: written,
    wallMs,
    ended: reason,
    engine: {
      calls: rollouts,
      candidates: candidates.length,
      wallMs: wallMs - watch.wallMs,
      cpuMs: cpuMs - watch.cpuMs,
    },
  };
}

function byId(ids: readonly string[]): Readonly<Record<string, { readonly id: string }>> {
  return Object.fromEntries(ids.map((id) => [id, { id }]));
}

/** One call after the other, like the steps of a program. */
async function inTurn(steps: readonly string[], call: () => Promise<void>): Promise<void> {
  for (const _ of steps) await call();
}
