import { contentHash, epochMs, sha256 } from "../../../../src/internal/index.ts";
import type { NamedTrace } from "../otlp/otlp-traces.ts";
import { otlpRequest } from "../otlp/otlp-traces.ts";
import type { RatedTrace } from "../otlp/rating-span.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { answerTrace, answerTraceId, isSampled } from "../tracked/answer-trace.ts";
import { candidateHashes } from "../tracked/candidate-hash.ts";
import { evaluatedExample, evaluationHead } from "../tracked/evaluation-run.ts";
import { exampleTrace } from "../tracked/example-trace.ts";
import { lmsIn, searchHead } from "../tracked/search-run.ts";
import type { LmOf } from "../tracked/trace-spans.ts";
import type { TrackedHead } from "../tracked/tracked-run.ts";
import type { Tracker } from "./listener.ts";
import type { QueueLimits, SendQueue } from "./send-queue.ts";
import { sendQueue } from "./send-queue.ts";
import { shownRating } from "./shown-rating.ts";

export interface OtlpTrackerOptions {
  /** Where traces go, after the server's URL. */
  readonly path: string;
  readonly hasContents: boolean;
  readonly queue?: QueueLimits;
}

/** Sends a trace for each run of a program, wherever it runs. */
export function otlpTracker(
  server: TrackingServer,
  { path, hasContents, queue: limits }: OtlpTrackerOptions,
): Tracker {
  const traceQueue = (): SendQueue<NamedTrace | RatedTrace> =>
    sendQueue(async (traces, signal) => {
      await server.ask({ method: "POST", path, body: otlpRequest(traces, "gen-ai"), signal });
    }, limits);
  return {
    search: () => {
      const queue = traceQueue();
      const hashOf = candidateHashes();
      let started: { readonly head: TrackedHead; readonly lmOf: LmOf } | undefined;
      let number = 0;
      return {
        onEvent: (event) => {
          if (event.kind !== "run-start") return;
          const { run } = event;
          const startedAtMs = epochMs();
          const key = contentHash([run, startedAtMs]).slice(0, 32);
          started = { head: searchHead(run, { key, startedAtMs }), lmOf: lmsIn(run) };
        },
        onRun: ({ candidate, split, exampleId, score, trace }) => {
          if (started === undefined) return;
          const { head, lmOf } = started;
          const isScored = score.kind === "scored";
          const shown = exampleTrace(trace, {
            hasContents,
            lmOf,
            failed: trace.failure !== undefined,
            ...(isScored && { feedback: score.feedback }),
          });
          enqueue(queue, {
            traceId: sha256(`${head.key}/${number++}`).slice(0, 32),
            name: head.name,
            attributes: {
              "espalier.run": head.key,
              "espalier.split": split,
              "espalier.candidate-hash": hashOf(candidate),
            },
            example: {
              id: exampleId,
              ...shown,
              startedAtMs: trace.startedAtMs,
              inputs: shown.inputs ?? null,
              scores: isScored ? { [nameOf(head)]: score.value, ...score.objectives } : {},
            },
          });
        },
        finish: () => {},
        end: (patienceMs = 5_000) => queue.end(patienceMs),
      };
    },
    evaluation: (given) => {
      const about = { ...given, hasContents };
      const queue = traceQueue();
      const startedAtMs = epochMs();
      const { name } = evaluationHead(about, startedAtMs);
      return {
        onEvent: (event) => {
          if (event.kind !== "example-end") return;
          const example = evaluatedExample(event.row, about);
          enqueue(queue, {
            traceId: sha256(`${about.key}/${example.id}`).slice(0, 32),
            name,
            attributes: { "espalier.run": about.key, "espalier.split": about.split },
            example: { ...example, startedAtMs: example.startedAtMs ?? startedAtMs },
          });
        },
        finish: () => {},
        end: (patienceMs = 5_000) => queue.end(patienceMs),
      };
    },
    answers: ({ sample = 1, redacted = asItIs } = {}) => {
      const queue = traceQueue();
      return {
        answered: (answer) => {
          if (isSampled(answer.id, sample)) {
            enqueue(queue, answerTrace(answer, { hasContents, redacted }));
          }
        },
        rated: (id, rating) => {
          if (isSampled(id, sample)) {
            const shown = shownRating(rating, { hasContents, redacted });
            enqueue(queue, { traceId: answerTraceId(id), ratedAtMs: epochMs(), ...shown });
          }
        },
        status: () => {
          const { waiting, sent, lost } = queue;
          return { name: "otlp", waiting, sent, lost };
        },
        end: (patienceMs = 5_000) => queue.end(patienceMs),
      };
    },
  };
}

function nameOf({ params }: TrackedHead): string {
  return params["objective"] ?? "score";
}

function asItIs(text: string): string {
  return text;
}

function enqueue(queue: SendQueue<NamedTrace | RatedTrace>, trace: NamedTrace | RatedTrace): void {
  queue.add(trace, sizeOf(trace));
}

/** Roughly what it takes as JSON; twice what it holds as texts. */
function sizeOf(trace: NamedTrace | RatedTrace): number {
  return 2 * JSON.stringify("rating" in trace ? trace : trace.example).length;
}
