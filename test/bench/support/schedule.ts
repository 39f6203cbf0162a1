import { predict, program, signature, text } from "espalier";
import { evaluate } from "espalier/evaluate";
import { openAiCompatible } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import { replyServer } from "./reply-server.ts";

/**
 * Evaluates a program with one slow call per example, and compares its wall time with the makespan
 * of list scheduling (Graham 1966): the latencies that the server measured, in order of arrival,
 * each assigned to the slot that becomes free first.
 */
export async function schedule({
  examples,
  latencyMs,
  inFlight,
}: {
  readonly examples: number;
  readonly latencyMs: number;
  readonly inFlight: number;
}): Promise<{
  readonly inFlight: number;
  readonly wallMs: number;
  readonly makespanMs: number;
  readonly ratio: number;
}> {
  await using server = await replyServer({ latencyMs, jitter: 0.5 });
  const step = signature({
    name: "answer",
    instruction: "Answer.",
    input: { question: text("question") },
    output: { answer: text("answer") },
  });
  const answerer = program({
    name: "answerer",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { answer: predict(step) },
    forward: ({ question }, { predictors }) => predictors.answer({ question }),
  });
  const startedAt = performance.now();
  await evaluate({
    program: answerer,
    examples: Array.from({ length: examples }, (_, index) => ({
      id: `e${index}`,
      input: { question: `Question ${index}?` },
      labels: {},
    })),
    metric: metric({ name: "always", version: "1", score: () => scored(1) }),
    lm: openAiCompatible({ baseUrl: server.url, model: "bench" }),
    concurrency: inFlight,
  });
  const wallMs = performance.now() - startedAt;
  const makespanMs = listSchedule(await server.latencies(), inFlight);
  return { inFlight, wallMs, makespanMs, ratio: wallMs / makespanMs };
}

function listSchedule(latencies: readonly number[], slots: number): number {
  const free = Array.from({ length: slots }, () => 0);
  for (const latency of latencies) {
    const earliest = free.indexOf(Math.min(...free));
    free[earliest] = (free[earliest] ?? 0) + latency;
  }
  return Math.max(...free);
}
