import { declinedReply, gaveUp } from "../../errors/index.ts";
import type {
  FinishReason,
  GeneratedToken,
  LmReply,
  LmToolCall,
  LmUsage,
} from "../../contract/index.ts";
import type { WireToolCall, WireUsage } from "./chat-envelope.ts";
import { logprobsEnvelope } from "./chat-envelope.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { ReplyOrigin } from "../client/reply-origin.ts";
import { foreignJson } from "../../internal/index.ts";

/** The parts of a complete reply. */
export interface ReplyParts {
  readonly model: string | null;
  readonly content: string | null;
  readonly reasoning: string | null;
  /** Why the model declined to answer. */
  readonly refusal: string | null;
  readonly toolCalls: readonly LmToolCall[];
  readonly finishReason: string | null | undefined;
  readonly usage: WireUsage | null;
  /** One entry per token, as they came; `null` for none. */
  readonly logprobs: unknown;
}

/**
 * @param model the one that was asked, for a server that does not name its own
 * @param hasLogprobs whether they were requested; a server may silently ignore the request
 */
export function chatReply(
  parts: ReplyParts,
  {
    model,
    hasLogprobs,
    latencyMs,
    origin,
  }: {
    readonly model: string;
    readonly hasLogprobs: boolean;
    readonly latencyMs: number;
    readonly origin: ReplyOrigin;
  },
): LmReply {
  const { content, reasoning, refusal, toolCalls, usage, logprobs } = parts;
  const finishReason = finishReasonOf(parts.finishReason);
  if (refusal && !content && toolCalls.length === 0) throw declinedReply(refusal, model);
  return {
    content,
    reasoning,
    ...(toolCalls.length > 0 && { toolCalls }),
    finishReason,
    usage: usageOf(usage),
    // Some servers ignore the request for them; the reply may do without.
    ...(hasLogprobs && logprobs ? { logprobs: tokensOf(logprobs, origin) } : {}),
    model: parts.model || model,
    latencyMs,
    source: "server",
  };
}

/** By OpenAI's words, and those that Gemini, Anthropic, TGI and others pass on. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  end_turn: "stop",
  eos_token: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  // Of vLLM's `repetition_detection`.
  repetition: "repetition",
  content_filter: "content-filter",
  safety: "content-filter",
  sensitive: "content-filter",
  refusal: "content-filter",
  tool_calls: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
};

/** DeepSeek has the second; others end in `_error`. */
const faults = /^(abort(ed)?|insufficient_system_resource|cancell?ed|timeout|(.*_)?error)$/;

function finishReasonOf(given: string | null | undefined): FinishReason {
  const reason = given?.toLowerCase() ?? "";
  if (faults.test(reason)) throw gaveUp("server", given ?? "");
  return finishReasons[reason] ?? "other";
}

function usageOf(usage: WireUsage | null): LmUsage {
  return {
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    cachedPromptTokens: usage?.prompt_tokens_details?.cached_tokens ?? null,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens ?? null,
  };
}

function tokensOf(logprobs: unknown, origin: ReplyOrigin): readonly GeneratedToken[] {
  return readEnvelope(logprobsEnvelope, logprobs, origin).map(
    ({ token, logprob, top_logprobs: top }) => ({ token, logprob, top }),
  );
}

/** The calls of a whole reply: each entry is one, whatever its index. */
export function wholeCalls(entries: readonly WireToolCall[]): readonly LmToolCall[] {
  return withIds(entries.map(callOf));
}

/**
 * The calls of a streamed reply. Servers differ: some give each piece the index of its call, some
 * give every call the index 0, some give none; some repeat the id, some send another with each
 * piece. Only the first piece of a call names its function.
 */
export function joinedCalls(pieces: readonly WireToolCall[]): readonly LmToolCall[] {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  for (const piece of pieces) {
    const given = callOf(piece);
    const { index } = piece;
    const at = typeof index === "number" ? byIndex.get(index) : undefined;
    const known = at ?? (given.id === "" ? undefined : calls.find(({ id }) => id === given.id));
    const open = known ?? (typeof index === "number" ? undefined : calls.at(-1));
    const isSame = open !== undefined && (given.name === "" || !isAnother(given, open, index));
    const call = isSame ? open : { id: "", name: "", arguments: "" };
    if (!isSame) calls.push(call);
    if (typeof index === "number") byIndex.set(index, call);
    call.id ||= given.id;
    call.name ||= given.name;
    call.arguments += given.arguments;
  }
  return withIds(calls);
}

/** Whether a piece with a name begins another call than the one it would be added to. */
function isAnother(given: Call, open: Call, index: WireToolCall["index"]): boolean {
  if (open.name === "") return false;
  return given.id === "" || open.id === "" ? typeof index !== "number" : given.id !== open.id;
}

interface Call {
  id: string;
  name: string;
  arguments: string;
}

function callOf({ id, function: given }: WireToolCall): Call {
  const said = given?.arguments ?? "";
  return {
    id: id ?? "",
    name: given?.name ?? "",
    arguments: typeof said === "string" ? said : foreignJson(said),
  };
}

/** A call that has no id gets one by place, which replays alike. */
function withIds(calls: readonly Call[]): readonly LmToolCall[] {
  return calls.map((call, index) => ({ ...call, id: call.id || `call-${index + 1}` }));
}
