import type { Json, JsonObject } from "../../../../src/contract/index.ts";
import { sha256 } from "../../../../src/internal/index.ts";
import type { TrackedSpan } from "../tracked/tracked-run.ts";

/** A span as OTLP's JSON has it; its id follows from the trace's and its path. */
export function spanOf(
  { path, parent, name, startMs, latencyMs, failed, attributes }: Omit<TrackedSpan, "kind">,
  { traceId, startedAtMs }: { readonly traceId: string; readonly startedAtMs: number },
): JsonObject {
  const start = startedAtMs + startMs;
  return {
    traceId,
    spanId: spanId(traceId, path),
    ...(parent !== null && { parentSpanId: spanId(traceId, parent) }),
    name,
    kind: attributes["gen_ai.operation.name"] === "chat" ? kinds.client : kinds.internal,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + latencyMs),
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    // Ok and error, as of OTLP's StatusCode.
    status: { code: failed ? 2 : 1 },
  };
}

/** As of OTLP's SpanKind. */
const kinds = { internal: 1, client: 3 } as const;

function spanId(traceId: string, path: string): string {
  return sha256(`${traceId}/${path}`).slice(0, 16);
}

/** Beyond 2^53, hence as text. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

export function attribute(key: string, value: Json): JsonObject {
  return { key, value: attributeValue(value) };
}

function attributeValue(value: Json): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number" && Number.isFinite(value)) {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(attributeValue) } };
  return { stringValue: JSON.stringify(value) };
}

/** The result of a metric, or of a user, as OpenTelemetry's conventions name it. */
export function evaluationEvent(
  atMs: number,
  name: string,
  value: number,
  explanation: string | undefined,
): JsonObject {
  return {
    timeUnixNano: nanoseconds(atMs),
    name: "gen_ai.evaluation.result",
    attributes: [
      attribute("gen_ai.evaluation.name", name),
      { key: "gen_ai.evaluation.score.value", value: { doubleValue: value } },
      ...(explanation === undefined
        ? []
        : [attribute("gen_ai.evaluation.explanation", explanation)]),
    ],
  };
}
