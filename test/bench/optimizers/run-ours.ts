import { customProposer, optimizeTexts } from "espalier/optimizer";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";
import { gepaWith } from "../../optimizer/support/gepa-with.ts";
import type { Environment } from "./environment.ts";
import { trueMean } from "./environment.ts";

/** What one search found and what it took. */
export interface RunFigures {
  readonly task: number;
  readonly run: number;
  /** True means of the texts that it returned. */
  readonly val: number;
  readonly test: number;
  readonly metricCalls: number;
  readonly texts: number;
  readonly wallMs: number;
  /** Why it ended; absent if the engine does not say. */
  readonly ended?: string;
}

export interface SearchLimits {
  readonly metricCalls: number;
  /** @default none */
  readonly texts?: number | undefined;
  /** Number of the run on its task; it seeds the search. */
  readonly run: number;
}

/** One search of ours; counts rollouts and texts itself, and throws if a cap is exceeded. */
export async function runOurs(
  environment: Environment,
  { metricCalls, texts: mostTexts = 1e6, run }: SearchLimits,
  options: FlatGepaOptions = {},
): Promise<RunFigures> {
  let [rollouts, written] = [0, 0];
  const inTrain = new Set(environment.train);
  const byId = (ids: readonly string[]): Readonly<Record<string, { readonly id: string }>> =>
    Object.fromEntries(ids.map((id) => [id, { id }]));
  const proposer = customProposer("stand-in", ({ component, cases }) => {
    if (cases.some(({ exampleId }) => !inTrain.has(exampleId))) {
      throw new Error("Reflection was shown an example outside train.");
    }
    const feedback = cases.map((one) => one.feedback);
    const { path, value: text } = component;
    return environment.rewrite({ component: path, text, feedback, run, call: written++ });
  });
  const startedAt = performance.now();
  const { texts, reason } = await optimizeTexts(
    {
      name: `bench-${environment.name}`,
      version: "1",
      texts: environment.texts,
      train: byId(environment.train),
      val: byId(environment.val),
      evaluate: (candidate, { id }) => {
        const score = environment.rolloutScore(candidate, id, run, rollouts++);
        const feedback = score < 1 ? environment.feedback(candidate, id) : {};
        const says = Object.keys(feedback).length > 0;
        return { score, ran: environment.ran(id), ...(says && { feedback }) };
      },
    },
    {
      optimizer: gepaWith({ ...options, proposer }),
      seed: run,
      concurrency: 16,
      budget: { metricCalls, reflectionCalls: mostTexts },
    },
  );
  const wallMs = performance.now() - startedAt;
  if (rollouts > metricCalls || written > mostTexts) {
    throw new Error(`${rollouts} rollouts and ${written} texts exceed a cap.`);
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
  };
}
