import type { JsonObject } from "../../../../src/contract/index.ts";
import { contentHash } from "../../../../src/internal/index.ts";
import type { Evaluation, EvaluationRow } from "../../../../src/evaluate/index.ts";
import type { Mock } from "../../../../src/mock/index.ts";
import { exampleTrace } from "./example-trace.ts";
import { mockTag } from "./mock-tag.ts";
import type { LmOf } from "./trace-spans.ts";
import type { TrackedCandidate, TrackedExample, TrackedHead, TrackedRun } from "./tracked-run.ts";

/** What is known of an evaluation before it runs. */
export interface EvaluationAbout extends Pick<Evaluation, "program" | "metric" | "seed"> {
  readonly key: string;
  readonly study: string;
  readonly split: string;
  readonly trainset?: { readonly name: string; readonly checksum: string };
  readonly model: string;
  readonly mocks: readonly Mock[];
  readonly lmOf?: LmOf;
  /** Whether inputs, outputs, messages and feedback are included. */
  readonly hasContents: boolean;
}

export interface EvaluationRunOptions extends Omit<EvaluationAbout, "program" | "metric" | "seed"> {
  /** For results without times. */
  readonly writtenAtMs: number;
}

/**
 * An evaluation as a run with one evaluation run below it, as a search is: results of several
 * versions of a program can then be compared with each other.
 */
export function evaluationRun(
  evaluation: Evaluation,
  { writtenAtMs, ...options }: EvaluationRunOptions,
): TrackedRun {
  const { program, metric, seed, rows } = evaluation;
  const about = { ...options, program, metric, seed };
  const examples = rows.map((row) => evaluatedExample(row, about));
  const times = examples.flatMap(({ startedAtMs, latencyMs }) =>
    startedAtMs === null ? [] : [{ start: startedAtMs, end: startedAtMs + latencyMs }],
  );
  const startedAtMs = times.reduce((least, { start }) => Math.min(least, start), writtenAtMs);
  const ended = evaluatedCandidate(evaluation, about);
  return {
    ...evaluationHead(about, startedAtMs),
    endedAtMs: times.reduce((most, { end }) => Math.max(most, end), writtenAtMs),
    metrics: ended.metrics,
    candidates: [{ ...ended, examples }],
    prompts: [],
    artifacts: [],
  };
}

export function evaluationHead(about: EvaluationAbout, startedAtMs: number): TrackedHead {
  const { key, study, mocks, trainset } = about;
  return {
    key,
    name: `eval of ${study}`,
    startedAtMs,
    tags: { "espalier.kind": "evaluation", ...mockTag(mocks) },
    params: paramsOf(about),
    ...(trainset && { dataset: trainset }),
  };
}

/** The evaluation run, before it ends or after, without its examples. */
export function evaluatedCandidate(
  evaluation: Evaluation | null,
  about: EvaluationAbout,
): TrackedCandidate {
  const { key, program, split, mocks, hasContents } = about;
  const metrics = evaluation === null ? [] : metricsOf(evaluation);
  return {
    id: "evaluated",
    key: `${key}/evaluated`,
    digest: contentHash([metrics, evaluation?.rows.length ?? null, hasContents]),
    name: `${program.name} on ${split}`,
    tags: { "espalier.kind": "candidate", ...mockTag(mocks) },
    params: paramsOf(about),
    metrics,
    examples: [],
  };
}

function metricsOf({
  metric,
  value,
  coverage,
  objectives,
  counts,
}: Evaluation): TrackedCandidate["metrics"] {
  const means = Object.entries({ ...(value !== null && { [metric.name]: value }), ...objectives });
  return [
    ...means.map(([name, mean]) => ({ name: `${name}/mean`, value: mean, step: 0 })),
    { name: "coverage", value: coverage, step: 0 },
    { name: "formatFailures", value: counts.formatFailures, step: 0 },
  ];
}

function paramsOf({
  program,
  metric,
  split,
  seed,
  model,
  trainset,
}: EvaluationAbout): Readonly<Record<string, string>> {
  return {
    program: program.name,
    objective: metric.name,
    split,
    seed: String(seed),
    lm: model,
    ...(trainset && { trainset: trainset.name }),
  };
}

/** One row, as a trace with its scores. */
export function evaluatedExample(
  { exampleId, score, failure, trace, latencyMs, output }: EvaluationRow,
  { metric, hasContents, lmOf }: Pick<EvaluationAbout, "metric" | "hasContents" | "lmOf">,
): TrackedExample {
  const isScored = score.kind === "scored";
  const inputs: JsonObject = hasContents ? trace.input : { example: exampleId };
  const shown = exampleTrace(trace, {
    hasContents,
    ...(lmOf && { lmOf }),
    failed: failure !== undefined,
    ...(isScored && { feedback: score.feedback }),
  });
  return {
    id: exampleId,
    ...shown,
    ...(hasContents && output !== undefined && { outputs: output as TrackedExample["inputs"] }),
    latencyMs,
    inputs,
    scores: isScored ? { [metric.name]: score.value, ...score.objectives } : {},
  };
}
