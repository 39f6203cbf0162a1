import type {
  Attempt,
  Example,
  Failure,
  JsonObject,
  LanguageModel,
  Metric,
  RunOptions,
  Runnable,
  Trace,
  TraceNode,
} from "../../src/contract/index.ts";
import type { ErrorCode } from "../../src/errors/index.ts";
import { EspalierError, failureOf } from "../../src/errors/index.ts";
import type { Evaluation } from "../../src/evaluate/index.ts";
import { evaluate } from "../../src/evaluate/index.ts";
import { metric, scored } from "../../src/metric/index.ts";

/** Input and output of the programs of these tests. */
export interface Held extends JsonObject {
  readonly value: number;
}

/** An LM that these programs are handed and never call. */
export const unusedLm: LanguageModel = {
  identity: { provider: "none", model: "none" },
  doGenerate: () => Promise.reject(new Error("No program of these tests calls its LM.")),
};

export function failureWith(code: ErrorCode): EspalierError {
  return new EspalierError({ code, problem: `Planted ${code}` });
}

/** A trace of calls, each of which failed as given or (`null`) succeeded. */
export function traceOf(input: JsonObject, failures: readonly (Failure | null)[] = []): Trace {
  const children = failures.map((failure, index): TraceNode => ({
    kind: "retrieval",
    path: `retrieve[${index}]`,
    retriever: "r",
    query: "q",
    k: 1,
    results: [],
    startMs: 0,
    latencyMs: 0,
    ...(failure === null ? {} : { failure }),
  }));
  return {
    program: "echo",
    version: "1",
    input,
    notes: {},
    children,
    startedAtMs: 0,
    latencyMs: 0,
  };
}

/** A program that answers with its input, unless `run` does something else. */
export function echo(
  run: (input: Held, options: RunOptions) => Promise<Held> | Held = (input) => input,
  swallowed: (options: RunOptions) => readonly (Failure | null)[] = () => [],
): Runnable<Held, Held> {
  return {
    name: "echo",
    version: "1",
    inputProblem: (input) =>
      typeof (input as Held).value === "number" ? null : "field `value` is not a number",
    async attempt(input, options): Promise<Attempt<Held>> {
      const trace = (): Trace => traceOf(input, swallowed(options));
      try {
        const output = await run(input, options);
        return { state: "completed", output, trace: trace() };
      } catch (error) {
        return { state: "failed", error, failure: failureOf(error), trace: trace() };
      }
    },
  };
}

export const identity: Metric<Held, Held> = metric<Held, Held>({
  name: "identity",
  version: "1",
  score: ({ output }) => scored(output.value),
});

/** Examples `e0`, `e1`... with the given values; clusters as given by nesting. */
export function examplesOf(clusters: readonly (number | readonly number[])[]): Example<Held>[] {
  const rows = clusters.flatMap((cluster, index) =>
    [cluster].flat().map((value) => ({ value, cluster: `c${index}` })),
  );
  return rows.map(({ value, cluster }, index) => ({
    id: `e${index}`,
    input: { value },
    labels: {},
    cluster,
  }));
}

export interface EvaluateValuesOptions {
  readonly resamples?: number;
  readonly seed?: number;
  readonly metric?: Metric<Held, Held>;
}

/** The evaluation in which each example scores its value. */
export function evaluateValues(
  clusters: readonly (number | readonly number[])[],
  { metric: judge = identity, ...options }: EvaluateValuesOptions = {},
): Promise<Evaluation<Held>> {
  return evaluate({
    program: echo(),
    examples: examplesOf(clusters),
    metric: judge,
    lm: unusedLm,
    ...options,
  });
}
