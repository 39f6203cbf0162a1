import type { Json, JsonObject } from "../../../../src/contract/index.ts";
import { isObject } from "../../../../src/internal/index.ts";
import type { TrackedExample, TrackedSpan } from "../tracked/tracked-run.ts";
import { attribute, evaluationEvent, spanOf } from "./otlp-span.ts";
import type { RatedTrace } from "./rating-span.ts";
import { ratingSpan } from "./rating-span.ts";
import { spanMessages, spanReply } from "./span-messages.ts";

/** An example's trace and its id: 32 hexadecimal digits, the same each time it is sent. */
export interface NamedTrace {
  readonly traceId: string;
  readonly name: string;
  readonly example: TrackedExample & { readonly startedAtMs: number };
  /** Further attributes of the whole. */
  readonly attributes?: Readonly<Record<string, Json>>;
}

/** How contents are named: as MLflow shows them, or by OpenTelemetry's conventions alone. */
export type Dialect = "mlflow" | "gen-ai";

/**
 * Version of OpenTelemetry's semantic conventions that attributes follow; those for generative AI
 * are in development there.
 */
const schemaUrl = "https://opentelemetry.io/schemas/1.41.1";

/** A request of OTLP over HTTP with JSON, as its specification maps it: ids are hexadecimal. */
export function otlpRequest(
  traces: readonly (NamedTrace | RatedTrace)[],
  dialect: Dialect,
): JsonObject {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute("service.name", "espalier")] },
        scopeSpans: [
          {
            scope: { name: "espalier" },
            spans: traces.flatMap((trace) =>
              "rating" in trace ? [ratingSpan(trace)] : spansOf(trace, dialect),
            ),
            schemaUrl,
          },
        ],
        schemaUrl,
      },
    ],
  };
}

function spansOf(
  { traceId, name, example, attributes: further }: NamedTrace,
  dialect: Dialect,
): readonly JsonObject[] {
  const { startedAtMs, latencyMs, failed, inputs, outputs, spans, scores, feedback } = example;
  const place = { traceId, startedAtMs };
  const root = spanOf(
    {
      path: "",
      parent: null,
      name,
      startMs: 0,
      latencyMs,
      failed,
      attributes: {
        "gen_ai.operation.name": "invoke_workflow",
        "espalier.example": example.id,
        ...further,
        ...wholeContents({ inputs, outputs }, dialect),
      },
    },
    place,
  );
  const endedAtMs = startedAtMs + latencyMs;
  const events = Object.entries(scores).map(([metric, value]) =>
    evaluationEvent(endedAtMs, metric, value, feedback),
  );
  const others = spans.map((span) => {
    const attributes = { ...span.attributes, ...stepContents(span, dialect) };
    return spanOf({ ...span, parent: span.parent ?? "", attributes }, place);
  });
  // MLflow has assessments for scores.
  return [dialect === "mlflow" || events.length === 0 ? root : { ...root, events }, ...others];
}

/** MLflow pairs examples by the inputs, so they are never absent there. */
function wholeContents(
  { inputs, outputs }: { readonly inputs: Json; readonly outputs: Json | undefined },
  dialect: Dialect,
): Readonly<Record<string, Json>> {
  if (dialect === "mlflow") {
    return {
      "mlflow.spanInputs": asJson(inputs),
      ...(outputs !== undefined && { "mlflow.spanOutputs": asJson(outputs) }),
      "mlflow.spanType": "CHAIN",
    };
  }
  if (outputs === undefined) return {};
  return { "espalier.inputs": asJson(inputs), "espalier.outputs": asJson(outputs) };
}

const types: Readonly<Record<TrackedSpan["kind"], string>> = {
  scope: "CHAIN",
  predictor: "CHAIN",
  retrieval: "RETRIEVER",
  tool: "TOOL",
  llm: "CHAT_MODEL",
};

function stepContents(
  { kind, inputs, outputs, attributes }: TrackedSpan,
  dialect: Dialect,
): Readonly<Record<string, Json>> {
  if (dialect === "mlflow") {
    return {
      "mlflow.spanType": types[kind],
      ...(inputs !== undefined && { "mlflow.spanInputs": asJson(inputs) }),
      ...(outputs !== undefined && { "mlflow.spanOutputs": asJson(outputs) }),
    };
  }
  if (inputs === undefined) return {};
  if (kind === "llm") {
    const reasons = attributes["gen_ai.response.finish_reasons"];
    const reason = Array.isArray(reasons) ? reasons[0] : undefined;
    const reply = outputs === undefined ? undefined : spanReply(outputs, reason ?? "stop");
    return {
      "gen_ai.input.messages": asJson(spanMessages(inputs)),
      ...(reply && { "gen_ai.output.messages": asJson([reply]) }),
    };
  }
  if (kind === "retrieval") {
    const query = isObject(inputs) ? inputs["query"] : undefined;
    return {
      ...(typeof query === "string" && { "gen_ai.retrieval.query.text": query }),
      ...(outputs !== undefined && { "gen_ai.retrieval.documents": asJson(outputs) }),
    };
  }
  if (kind === "tool") {
    return {
      "gen_ai.tool.call.arguments": asJson(inputs),
      ...(outputs !== undefined && { "gen_ai.tool.call.result": asJson(outputs) }),
    };
  }
  return {
    "espalier.inputs": asJson(inputs),
    ...(outputs !== undefined && { "espalier.outputs": asJson(outputs) }),
  };
}

/** Contents go as JSON: MLflow reads them so, and OpenTelemetry's conventions allow it. */
function asJson(value: Json): string {
  return JSON.stringify(value);
}
