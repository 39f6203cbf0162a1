import type {
  Json,
  LmCallRecord,
  ToolTrace,
  Trace,
  TraceNode,
} from "../../../../src/contract/index.ts";
import type { TrackedSpan } from "./tracked-run.ts";

export interface SpanOptions {
  /** Whether inputs, outputs and messages are included. */
  readonly hasContents: boolean;
  readonly lmOf?: LmOf;
}

/** The LM that a predictor or a reranker asks, by its name; `undefined` if that is not known. */
export type LmOf = (
  name: string,
) => { readonly provider: string; readonly model: string } | undefined;

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
      : (node.calls ?? []).map((call, index) =>
          callSpan(call, index, {
            ...options,
            parent: node.path,
            of: node.kind === "retrieval" ? node.retriever : node.predictor,
          }),
        )),
    ...(node.kind === "predictor"
      ? (node.tools ?? []).map((tool) => toolSpan(tool, node.path, options))
      : []),
  ]);
}

function spanOf(node: TraceNode, parent: string | null, { hasContents }: SpanOptions): TrackedSpan {
  const { path, kind } = node;
  const startMs = startOf(node);
  const failure = node.failure?.kind === "client" ? undefined : node.failure;
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
    };
    return {
      ...common,
      name: node.retriever,
      latencyMs: node.latencyMs,
      attributes,
      ...(hasContents && {
        inputs: { query: node.query },
        outputs: node.results.map(({ id, score }) => ({ id, score })),
      }),
    };
  }
  return {
    ...common,
    name: node.predictor,
    latencyMs: node.latencyMs,
    attributes: { "espalier.signature": node.signature, ...code },
    ...(hasContents && { inputs: node.inputs, ...(node.outputs && { outputs: node.outputs }) }),
  };
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
    },
    ...(hasContents && { inputs: input, ...(result !== undefined && { outputs: result }) }),
  };
}

function endOf(node: TraceNode): number {
  const startMs = startOf(node);
  if (node.kind !== "scope") return startMs + node.latencyMs;
  return Math.max(startMs, ...node.children.map(endOf));
}

function callSpan(
  call: LmCallRecord,
  index: number,
  {
    hasContents,
    lmOf,
    parent,
    of,
  }: SpanOptions & {
    readonly parent: string;
    /** The predictor or reranker that calls. */
    readonly of: string;
  },
): TrackedSpan {
  const lm = lmOf?.(of);
  const { usage, source, finishReason, failure } = call;
  const { retries = 0 } = call as Partial<LmCallRecord>;
  return {
    path: `${parent}#${index + 1}`,
    parent,
    name: lm === undefined ? "chat" : `chat ${lm.model}`,
    kind: "llm",
    startMs: startOf(call),
    latencyMs: call.latencyMs,
    failed: failure !== undefined,
    attributes: {
      "gen_ai.operation.name": "chat",
      ...(lm && { "gen_ai.provider.name": lm.provider, "gen_ai.request.model": lm.model }),
      "gen_ai.request.seed": call.seed,
      ...(typeof usage?.promptTokens === "number" && {
        "gen_ai.usage.input_tokens": usage.promptTokens,
      }),
      ...(typeof usage?.completionTokens === "number" && {
        "gen_ai.usage.output_tokens": usage.completionTokens,
      }),
      ...(typeof usage?.cachedPromptTokens === "number" && {
        "gen_ai.usage.cache_read.input_tokens": usage.cachedPromptTokens,
      }),
      ...(finishReason !== null && { "gen_ai.response.finish_reasons": [finishReason] }),
      ...(source !== null && { "espalier.source": source }),
      "espalier.retries": retries,
      ...(failure && { "error.type": failure.code }),
    },
    ...(hasContents && {
      inputs: call.messages as unknown as Json,
      outputs:
        call.toolCalls === undefined
          ? call.rawText
          : ({ content: call.rawText, toolCalls: call.toolCalls } as unknown as Json),
    }),
  };
}

/** Results written before traces had times have none. */
function startOf({ startMs = 0 }: { readonly startMs?: number }): number {
  return startMs;
}
