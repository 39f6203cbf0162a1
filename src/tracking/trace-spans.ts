import type { Json, LmCallRecord, ToolTrace, Trace, TraceNode } from "../contract/index.ts";
import type { TrackedSpan } from "./tracked-run.ts";

export interface SpanOptions {
  /** Whether inputs, outputs and messages are included. */
  readonly hasContents: boolean;
}

/**
 * The steps of a trace, parents first. Results written before traces had times have none: their
 * steps start with the whole.
 *
 * Attributes of LM calls are those of OpenTelemetry's conventions for generative AI.
 */
export function traceSpans(
  { children }: Pick<Trace, "children">,
  options: SpanOptions,
): readonly TrackedSpan[] {
  return spansUnder(null, children, options);
}

function spansUnder(
  parent: string | null,
  nodes: readonly TraceNode[],
  options: SpanOptions,
): readonly TrackedSpan[] {
  return nodes.flatMap((node) => [
    spanOf(node, parent, options),
    ...(node.kind === "scope"
      ? spansUnder(node.path, node.children, options)
      : (node.calls ?? []).map((call, index) => callSpan(call, node.path, index, options))),
    ...(node.kind === "predictor"
      ? (node.tools ?? []).map((tool) => toolSpan(tool, node.path, options))
      : []),
  ]);
}

function spanOf(node: TraceNode, parent: string | null, { hasContents }: SpanOptions): TrackedSpan {
  const { path, kind, failure } = node;
  const startMs = startOf(node);
  const common = { path, parent, kind, startMs, failed: failure !== undefined };
  const code = failure && { "error.type": failure.code };
  if (node.kind === "scope") {
    const ends = node.children.map(endOf);
    const latencyMs = Math.max(0, ...ends.map((end) => end - startMs));
    return { ...common, name: path.split("/").at(-1) ?? path, latencyMs, attributes: {} };
  }
  if (node.kind === "retrieval") {
    const attributes = {
      "gen_ai.operation.name": "retrieval",
      "espalier.k": node.k,
      ...code,
      ...(hasContents && {
        "mlflow.spanInputs": { query: node.query },
        "mlflow.spanOutputs": node.results.map(({ id, score }) => ({ id, score })),
      }),
    };
    return { ...common, name: node.retriever, latencyMs: node.latencyMs, attributes };
  }
  const attributes = {
    "espalier.signature": node.signature,
    ...code,
    ...(hasContents && {
      "mlflow.spanInputs": node.inputs,
      ...(node.outputs && { "mlflow.spanOutputs": node.outputs }),
    }),
  };
  return { ...common, name: node.predictor, latencyMs: node.latencyMs, attributes };
}

function toolSpan(node: ToolTrace, parent: string, { hasContents }: SpanOptions): TrackedSpan {
  const { path, tool, startMs, latencyMs, input, output, error, failure } = node;
  const result = output ?? error;
  return {
    path,
    parent,
    kind: "tool",
    name: tool,
    startMs,
    latencyMs,
    failed: failure !== undefined || error !== undefined,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      ...(failure && { "error.type": failure.code }),
      ...(hasContents && {
        "mlflow.spanInputs": input,
        ...(result !== undefined && { "mlflow.spanOutputs": result }),
      }),
    },
  };
}

function endOf(node: TraceNode): number {
  const startMs = startOf(node);
  if (node.kind !== "scope") return startMs + node.latencyMs;
  return Math.max(startMs, ...node.children.map(endOf));
}

function callSpan(
  call: LmCallRecord,
  parent: string,
  index: number,
  { hasContents }: SpanOptions,
): TrackedSpan {
  const { usage, source, finishReason, failure } = call;
  const { retries = 0 } = call as Partial<LmCallRecord>;
  return {
    path: `${parent}#${index + 1}`,
    parent,
    name: "chat",
    kind: "llm",
    startMs: startOf(call),
    latencyMs: call.latencyMs,
    failed: failure !== undefined,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.seed": call.seed,
      ...(usage && {
        "gen_ai.usage.input_tokens": usage.promptTokens,
        "gen_ai.usage.output_tokens": usage.completionTokens,
      }),
      ...(typeof usage?.cachedPromptTokens === "number" && {
        "gen_ai.usage.cache_read.input_tokens": usage.cachedPromptTokens,
      }),
      ...(finishReason !== null && { "gen_ai.response.finish_reasons": [finishReason] }),
      ...(source !== null && { "espalier.source": source }),
      "espalier.retries": retries,
      ...(failure && { "error.type": failure.code }),
      ...(hasContents && {
        "mlflow.spanInputs": call.messages as unknown as Json,
        "mlflow.spanOutputs":
          call.toolCalls === undefined
            ? call.rawText
            : ({ content: call.rawText, toolCalls: call.toolCalls } as unknown as Json),
      }),
    },
  };
}

/** Results written before traces had times have none. */
function startOf({ startMs = 0 }: { readonly startMs?: number }): number {
  return startMs;
}
