import type { ClientTools, JsonObject } from "../../../../contract/index.ts";
import type { Citation, ChatOutcome } from "../../../model/chat-exchange.ts";
import type { OutputFormat } from "../../../model/schema-fit.ts";
import type { CompletionHead, CompletionMetadata, SentCall, WholeReply } from "./completion.ts";
import { usageOf } from "./completion.ts";

/** An output item of a response, as in OpenAI's API. */
export type ResponseItem = Readonly<Record<string, unknown>>;

/** One request of `/v1/responses`, as all objects of its reply name it. */
export interface ResponseHead extends CompletionHead {
  /** How the client wants the answer; absent: as text. */
  readonly format: OutputFormat | undefined;
  /** The client's tools, where the program takes them. */
  readonly clientTools: ClientTools | undefined;
}

/** The ids of the two output items of a response: its steps, and its message. */
export function itemIds({ id }: ResponseHead): {
  readonly reasoning: string;
  readonly message: string;
} {
  const digits = id.slice(id.indexOf("-") + 1);
  return { reasoning: `rs_${digits}`, message: `msg_${digits}` };
}

/** A response that has not ended: without output, usage and error. */
export function openResponse({
  id,
  created,
  model,
  format,
  clientTools: { tools, isAllowed = true, isParallel = true } = noTools,
}: ResponseHead): JsonObject {
  return {
    id,
    object: "response",
    created_at: created,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: isParallel,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: null,
    text: { format: formatOf(format) },
    tool_choice: isAllowed ? "auto" : "none",
    tools: tools.map((tool) => ({ type: "function", ...tool, strict: false })),
    top_p: null,
    truncation: "disabled",
    usage: null,
  };
}

/** LangChain reads the type to know that a stream's answer is an object. */
function formatOf(format: OutputFormat | undefined): JsonObject {
  if (format === undefined) return { type: "text" };
  const { schema, name = "" } = format;
  return schema === undefined
    ? { type: "json_object" }
    : { type: "json_schema", name, schema, strict: true };
}

const noTools: ClientTools = { tools: [], isAllowed: false, isParallel: false };

/** A whole reply: a message or calls, without the steps, which only a stream shows. */
export function response(
  head: ResponseHead,
  outcome: ChatOutcome,
  { text, calls, metadata }: WholeReply,
): JsonObject {
  const content = [textPart(text, outcome.citations)];
  const output = calls?.map((call) => callItem(call, "completed")) ?? [
    messageItem(itemIds(head).message, "completed", content),
  ];
  return completedResponse(head, outcome, { output, metadata });
}

/** A call that the client has to make; `in_progress` it has no arguments yet. */
export function callItem(
  { id, name, arguments: given }: SentCall,
  status: "in_progress" | "completed",
): ResponseItem & { readonly id: string } {
  return {
    id: id.replace("call_", "fc_"),
    type: "function_call",
    status,
    call_id: id,
    name,
    arguments: status === "completed" ? given : "",
  };
}

/** A response that has ended with an answer, or with calls. */
export function completedResponse(
  head: ResponseHead,
  { usage }: ChatOutcome,
  {
    output,
    metadata,
  }: { readonly output: readonly ResponseItem[]; readonly metadata: CompletionMetadata },
): JsonObject {
  const counts = usageOf(usage);
  return {
    ...openResponse(head),
    status: "completed",
    output: output as JsonObject[],
    // OpenAI's clients expect texts.
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, String(value)]),
    ),
    ...(counts && {
      usage: {
        input_tokens: counts.prompt_tokens,
        input_tokens_details: counts.prompt_tokens_details ?? { cached_tokens: 0 },
        output_tokens: counts.completion_tokens,
        output_tokens_details: counts.completion_tokens_details ?? { reasoning_tokens: 0 },
        total_tokens: counts.total_tokens,
      },
    }),
  };
}

/** The steps of a program, each a part of the summary. */
export function reasoningItem(id: string, steps: readonly string[]): ResponseItem {
  return { id, type: "reasoning", summary: steps.map(summaryPart) };
}

export function summaryPart(text: string): ResponseItem {
  return { type: "summary_text", text };
}

export function messageItem(
  id: string,
  status: "in_progress" | "completed",
  content: readonly ResponseItem[],
): ResponseItem {
  return { id, type: "message", status, role: "assistant", content };
}

/** The text of an answer. Each marker as `[1]` in it is an annotation with its source's address. */
export function textPart(
  text: string,
  citations: readonly Citation[] = [],
): ResponseItem & { readonly text: string; readonly annotations: readonly ResponseItem[] } {
  const annotations = [...text.matchAll(/\[(\d{1,3})\]/g)].flatMap(
    ({ 0: marker, 1: number, index }) => {
      const cited = citations[Number(number) - 1];
      if (cited === undefined) return [];
      return [
        {
          type: "url_citation",
          start_index: index,
          end_index: index + marker.length,
          url: cited.url,
          title: cited.title ?? cited.sid,
        },
      ];
    },
  );
  return { type: "output_text", text, annotations, logprobs: [] };
}
