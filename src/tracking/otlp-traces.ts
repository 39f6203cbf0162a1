import type { Json, JsonObject } from "../contract/index.ts";
import { sha256 } from "../internal/index.ts";
import type { TrackedExample, TrackedSpan } from "./tracked-run.ts";

/** An example's trace and its id: 32 hexadecimal digits, the same each time it is sent. */
export interface NamedTrace {
  readonly traceId: string;
  readonly name: string;
  readonly example: TrackedExample;
}

/** A request of OTLP over HTTP with JSON, as its specification maps it: ids are hexadecimal. */
export function otlpRequest(traces: readonly NamedTrace[]): JsonObject {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute("service.name", "espalier")] },
        scopeSpans: [{ scope: { name: "espalier" }, spans: traces.flatMap(spansOf) }],
      },
    ],
  };
}

function spansOf({ traceId, name, example }: NamedTrace): readonly JsonObject[] {
  const { startedAtMs, latencyMs, failed, inputs, outputs, spans } = example;
  const root = spanOf(
    {
      path: "",
      parent: null,
      name,
      startMs: 0,
      latencyMs,
      failed,
      attributes: {
        "mlflow.spanInputs": inputs,
        ...(outputs !== undefined && { "mlflow.spanOutputs": outputs }),
        "mlflow.spanType": "CHAIN",
        "espalier.example": example.id,
      },
    },
    { traceId, startedAtMs },
  );
  const others = spans.map((span) =>
    spanOf(
      {
        ...span,
        parent: span.parent ?? "",
        attributes: { ...span.attributes, "mlflow.spanType": types[span.kind] },
      },
      { traceId, startedAtMs },
    ),
  );
  return [root, ...others];
}

const types: Readonly<Record<TrackedSpan["kind"], string>> = {
  scope: "CHAIN",
  predictor: "CHAIN",
  tool: "TOOL",
  retrieval: "RETRIEVER",
  llm: "CHAT_MODEL",
};

function spanOf(
  { path, parent, name, startMs, latencyMs, failed, attributes }: Omit<TrackedSpan, "kind">,
  { traceId, startedAtMs }: { readonly traceId: string; readonly startedAtMs: number },
): JsonObject {
  const start = startedAtMs + startMs;
  return {
    traceId,
    spanId: spanId(traceId, path),
    ...(parent !== null && { parentSpanId: spanId(traceId, parent) }),
    name,
    // Internal, as of OTLP's SpanKind.
    kind: 1,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + latencyMs),
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    // Ok and error, as of OTLP's StatusCode.
    status: { code: failed ? 2 : 1 },
  };
}

function spanId(traceId: string, path: string): string {
  return sha256(`${traceId}/${path}`).slice(0, 16);
}

/** Beyond 2^53, hence as text. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

function attribute(key: string, value: Json): JsonObject {
  return { key, value: attributeValue(value) };
}

/** Objects and lists go as JSON: MLflow reads them, and OTLP knows no nested ones. */
function attributeValue(value: Json): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number" && Number.isFinite(value)) {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { stringValue: JSON.stringify(value) };
}
