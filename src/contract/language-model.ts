import type { JsonObject, JsonSchema } from "./json.ts";

/** Who spends: ledgers and budgets are kept per role. A `shadow` answers what nobody waits for. */
export type LmRole = "student" | "reflection" | "judge" | "embedding" | "reranking" | "shadow";

export interface LmMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/**
 * Every sampling parameter, always explicit: a vLLM server fills what is left out from the
 * model repository's `generation_config.json`, so an omitted value means "whatever the model's
 * author chose".
 */
export interface Sampling {
  /** 0 is greedy; at most 2. */
  readonly temperature: number;
  /** Nucleus mass in (0, 1]; 1 turns it off. */
  readonly topP: number;
  /** Number of tokens kept, at least 1; 0 turns it off. */
  readonly topK: number;
  /** Least probability relative to the best token, in [0, 1]; 0 turns it off. */
  readonly minP: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  /** Multiplicative; 1 turns it off. */
  readonly repetitionPenalty: number;
  /** Hard cap on generated tokens, reasoning included. */
  readonly maxCompletionTokens: number;
  readonly stop: readonly string[];
}

/**
 * One chat request, plain JSON: it is hashed whole as a cache key. Nothing in it depends on time,
 * and nothing that changes a reply may be left out of it.
 */
export interface LmRequest {
  readonly messages: readonly LmMessage[];
  readonly sampling: Sampling;
  /** Unsigned 32-bit. */
  readonly seed: number;
  /** Constrains the reply to JSON of this shape. `name` is `[A-Za-z0-9_-]{1,64}`. */
  readonly responseSchema?: { readonly name: string; readonly schema: JsonSchema };
  /** Number of alternatives reported for each generated token; absent: no log-probabilities. */
  readonly topLogprobs?: number;
  /** Asks a hybrid reasoning model to think, or not to; absent: the server's default. */
  readonly thinking?: boolean;
  /** Further top-level keys of the request body (`priority`, `cache_salt`...). */
  readonly extraBody?: JsonObject;
}

export interface LmUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens served from the server's prefix cache; `null` when the server does not say. */
  readonly cachedPromptTokens: number | null;
  /** Part of `completionTokens` spent on reasoning; `null` when the server does not say. */
  readonly reasoningTokens: number | null;
}

export interface TokenLogprob {
  readonly token: string;
  /** Natural logarithm, at most 0. */
  readonly logprob: number;
}

export interface GeneratedToken extends TokenLogprob {
  /** Most likely tokens at this position, best first. */
  readonly top: readonly TokenLogprob[];
}

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "other";

export interface LmReply {
  /** `null` when the server returned none, as when the token budget went into reasoning. */
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly finishReason: FinishReason;
  readonly usage: LmUsage;
  /** One entry per generated token, present when `topLogprobs` was asked. */
  readonly logprobs?: readonly GeneratedToken[];
  /** Model name as the server reported it. */
  readonly model: string;
  /** Wall time of the successful attempt; what it was when recorded, for a cached reply. */
  readonly latencyMs: number;
  /** Where the reply came from; only `"server"` is billed. */
  readonly source: "server" | "cache" | "recording";
}

/** What accompanies a call without changing its reply, `repetition` excepted. */
export interface LmCallOptions {
  readonly signal?: AbortSignal;
  /** @default "student" */
  readonly role?: LmRole;
  /** Index of this sample among repeated identical requests; part of the cache key. @default 0 */
  readonly repetition?: number;
  /** For logs and errors; an LM that a reranker or a metric was lent takes it as a name below its own path. */
  readonly callPath?: string;
  /** For logs and errors. */
  readonly exampleId?: string;
  /** Streams: called with each piece as it arrives. A cached reply arrives as one piece. */
  readonly onDelta?: (delta: LmDelta) => void;
  /**
   * Takes back the pieces so far. Where it is given, a stream that broke off may be begun anew; else it is
   * not, once a piece was handed on.
   */
  readonly onRestart?: () => void;
  /**
   * For who counts time: called with `true` where the call gets in line behind others of this process, and
   * with `false` where its turn has come, or it has left.
   */
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** Called before each further request for the same call, made because of a fault that may pass. */
  readonly onRetry?: () => void;
  /** Milliseconds until the caller gives up: no pause before a further request is as long as that. */
  readonly timeLeftMs?: () => number;
}

export interface LmDelta {
  readonly content?: string;
  readonly reasoning?: string;
}

/** What a cache may assume to answer alike. Neither URL nor credentials belong here. */
export interface LmIdentity {
  readonly provider: string;
  readonly model: string;
}

/**
 * A chat model. Implement `doGenerate`; users call predictors. Fails with an `LmError` for
 * transport and server faults, and rejects with the signal's reason when aborted. A reply that is a
 * valid envelope is returned as it is, whatever its content: judging content is the predictor's job.
 */
export interface LanguageModel {
  readonly identity: LmIdentity;
  doGenerate(request: LmRequest, options?: LmCallOptions): Promise<LmReply>;
}
