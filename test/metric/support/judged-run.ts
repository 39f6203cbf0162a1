import type {
  JsonObject,
  MetricArguments,
  PredictorTrace,
  Trace,
} from "../../../src/contract/index.ts";

/** A run that called these predictors, one after the other. */
export function traceOf(...predictors: readonly string[]): Trace {
  const children = predictors.map((predictor): PredictorTrace => ({
    kind: "predictor",
    path: predictor,
    predictor,
    signature: predictor,
    inputs: {},
    outputs: {},
    calls: [],
    startMs: 0,
    latencyMs: 0,
  }));
  return {
    program: "p",
    version: "1",
    input: {},
    notes: {},
    children,
    startedAtMs: 0,
    latencyMs: 0,
  };
}

/** What a metric is handed of such a run. */
export function judgedRun<TOutput, TLabels>(
  output: TOutput,
  labels: TLabels,
  trace: Trace = traceOf(),
  input: JsonObject = {},
): MetricArguments<JsonObject, TOutput, TLabels> {
  return { example: { id: "e", input, labels }, output, trace };
}
