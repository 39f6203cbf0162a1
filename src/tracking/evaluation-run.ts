import type { Json, JsonObject, Trace } from "../contract/index.ts";
import type { Evaluation, EvaluationRow } from "../evaluate/index.ts";
import type { StandIn } from "../stand-in/index.ts";
import { standInTag } from "./search-run.ts";
import { traceSpans } from "./trace-spans.ts";
import type { TrackedExample, TrackedRun } from "./tracked-run.ts";

export interface EvaluationRunOptions {
  readonly key: string;
  readonly study: string;
  readonly split: string;
  readonly trainset?: { readonly name: string; readonly checksum: string };
  readonly model: string;
  readonly standIns: readonly StandIn[];
  /** Whether inputs, outputs, messages and feedback are included. */
  readonly hasContents: boolean;
  /** For results without times. */
  readonly writtenAtMs: number;
}

/**
 * An evaluation as a run with one evaluation run below it, as a search is: results of several
 * versions of a program can then be compared with each other.
 */
export function evaluationRun(
  { program, metric, rows, value, coverage, objectives, counts, seed }: Evaluation,
  { key, study, split, trainset, model, standIns, ...options }: EvaluationRunOptions,
): TrackedRun {
  const examples = rows.map((row) => trackedExample(row, metric.name, options));
  const starts = examples.map(({ startedAtMs }) => startedAtMs);
  const ends = examples.map(({ startedAtMs, latencyMs }) => startedAtMs + latencyMs);
  const means = Object.entries({ ...(value !== null && { [metric.name]: value }), ...objectives });
  const metrics = [
    ...means.map(([name, mean]) => ({ name: `${name}/mean`, value: mean, step: 0 })),
    { name: "coverage", value: coverage, step: 0 },
    { name: "formatFailures", value: counts.formatFailures, step: 0 },
  ];
  const params = {
    program: program.name,
    objective: metric.name,
    split,
    seed: String(seed),
    lm: model,
    ...(trainset && { trainset: trainset.name }),
  };
  const tags = standInTag(standIns);
  return {
    key,
    name: `eval of ${study}`,
    startedAtMs: starts.reduce((least, each) => Math.min(least, each), options.writtenAtMs),
    endedAtMs: ends.reduce((most, each) => Math.max(most, each), options.writtenAtMs),
    tags: { "espalier.kind": "evaluation", ...tags },
    params,
    metrics,
    ...(trainset && { dataset: trainset }),
    candidates: [
      {
        id: "evaluated",
        name: `${program.name} on ${split}`,
        tags: { "espalier.kind": "candidate", ...tags },
        params,
        metrics,
        examples,
      },
    ],
    prompts: [],
    artifacts: [],
  };
}

function trackedExample(
  { exampleId, score, failure, output, trace, latencyMs }: EvaluationRow,
  metric: string,
  { hasContents, writtenAtMs }: Pick<EvaluationRunOptions, "hasContents" | "writtenAtMs">,
): TrackedExample {
  const isScored = score.kind === "scored";
  const inputs: JsonObject = hasContents ? trace.input : { example: exampleId };
  // Results written before traces had times have none.
  const { startedAtMs = writtenAtMs } = trace as Partial<Pick<Trace, "startedAtMs">>;
  return {
    id: exampleId,
    inputs,
    ...(hasContents && output !== undefined && { outputs: output as Json }),
    startedAtMs,
    latencyMs,
    failed: failure !== undefined,
    spans: traceSpans(trace, { hasContents }),
    scores: isScored ? { [metric]: score.value, ...score.objectives } : {},
    ...(hasContents && isScored && score.feedback !== undefined && { feedback: score.feedback }),
  };
}
