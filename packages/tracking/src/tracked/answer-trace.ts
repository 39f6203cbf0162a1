import type { Json } from "../../../../src/contract/index.ts";
import { mapValues, sha256 } from "../../../../src/internal/index.ts";
import type { TrackedAnswer } from "../../../../src/serve/index.ts";
import { exampleTrace } from "./example-trace.ts";
import type { TrackedExample } from "./tracked-run.ts";

export interface AnswerTraceOptions {
  readonly hasContents: boolean;
  readonly redacted: (text: string) => string;
}

/** The trace's id follows from the answer's, so that a later rating finds it. */
export function answerTraceId(id: string): string {
  return sha256(`answer/${id}`).slice(0, 32);
}

/** Whether the answer is among the share that is sent; the same each time. */
export function isSampled(id: string, share: number): boolean {
  return parseInt(sha256(`sample/${id}`).slice(0, 8), 16) / 2 ** 32 < share;
}

export function answerTrace(
  { id, user, conversation, model, version, question, history, answer, trace }: TrackedAnswer,
  { hasContents, redacted }: AnswerTraceOptions,
): {
  readonly traceId: string;
  readonly name: string;
  readonly example: TrackedExample & { readonly startedAtMs: number };
  readonly attributes: Readonly<Record<string, Json>>;
} {
  // A turn that asks for tools of the client is none that failed.
  const failed = trace.failure !== undefined && trace.failure.kind !== "client";
  const shown = exampleTrace(trace, { hasContents, failed });
  const { spans } = redactedJson(shown, redacted) as unknown as typeof shown;
  const asked = { question, ...(history.length > 0 && { history }) };
  return {
    traceId: answerTraceId(id),
    name: model,
    attributes: {
      "espalier.answer": id,
      "espalier.version": version,
      // Names of users and conversations are their clients' own, so they are hashed.
      ...(user !== null && { "user.id": sha256(user).slice(0, 16) }),
      ...(conversation !== null && { "session.id": sha256(conversation).slice(0, 16) }),
    },
    example: {
      id,
      startedAtMs: trace.startedAtMs,
      latencyMs: trace.latencyMs,
      failed: shown.failed,
      spans,
      inputs: hasContents ? redactedJson(asked, redacted) : { answer: id },
      ...(hasContents && { outputs: redacted(answer) }),
      scores: {},
    },
  };
}

/** Changes each text in a value, not its keys. */
function redactedJson(value: unknown, redacted: (text: string) => string): Json {
  if (typeof value === "string") return redacted(value);
  if (Array.isArray(value)) return value.map((each) => redactedJson(each, redacted));
  if (typeof value !== "object" || value === null) return value as Json;
  return mapValues(value as Record<string, unknown>, (each) => redactedJson(each, redacted));
}
