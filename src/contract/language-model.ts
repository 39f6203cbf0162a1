import type { Failure } from "../errors/index.ts";
import type { JsonObject, JsonSchema } from "./json.ts";
import type { LmMessage, LmTool, LmToolCall } from "./lm-message.ts";

/**
 * Who spends: ledgers and budgets are kept per role. A `teacher` runs the program in the student's
 * place, to give demonstrations. A `shadow` call answers a request that no client waits for. A
 * `tool` is no LM: its calls count apart from those of LMs, and have no tokens.
 */
export type LmRole =
  | "student"
  | "reflection"
  | "judge"
  | "embedding"
  | "reranking"
  | "teacher"
  | "shadow"
  | "tool";

/**
 * Every sampling parameter, always explicit: a vLLM server fills omitted values from the model
 * repository's `generation_config.json`, so an omitted value would mean "what the model's author
 * chose".
 */
export interface Sampling {
  /** 0 is greedy; at most 2. */
  readonly temperature: number;
  /** Nucleus mass in (0, 1]; 1 turns it off. */
  readonly topP: number;
  /** Keeps this many tokens, at least 1; 0 turns it off. */
  readonly topK: number;
  /** Minimum probability relative to the best token, in [0, 1]; 0 turns it off. */
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
 * and everything that changes a reply must be in it.
 */
export interface LmRequest {
  readonly messages: readonly LmMessage[];
  readonly sampling: Sampling;
  /** Unsigned 32-bit. */
  readonly seed: number;
  /** Constrains the reply to JSON of this shape. */
  readonly responseSchema?: ResponseSchema;
  /** Functions that the model may ask for; their names are unique. */
  readonly tools?: readonly LmTool[];
  /** Whether it may, must or must not ask for one; only with `tools`. @default "auto" */
  readonly toolChoice?: "auto" | "required" | "none";
  /** Number of alternatives to report for each generated token; absent: no log-probabilities. */
  readonly topLogprobs?: number;
  /** Asks a hybrid reasoning model to think, or not to; absent: the server's default. */
  readonly thinking?: boolean;
  /** Further top-level keys of the request body (`priority`, `cache_salt`...). */
  readonly extraBody?: JsonObject;
}

export interface ResponseSchema {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Lengths of strings go to any vLLM: for a model that repeated itself without end. */
  readonly holdsLengths?: true;
}

/** Each count is `null` when the server does not say. */
export interface LmUsage {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Part of `promptTokens` served from the server's prefix cache. */
  readonly cachedPromptTokens: number | null;
  /** Part of `completionTokens` spent on reasoning. */
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

/** `repetition`: the model repeated itself, and was stopped. */
export type FinishReason =
  | "stop"
  | "length"
  | "repetition"
  | "content-filter"
  | "tool-calls"
  | "other";

export interface LmReply {
  /** `null` when the server returned none, for example when reasoning used up the token budget. */
  readonly content: string | null;
  readonly reasoning: string | null;
  /** Calls that the model asks for, in its order; absent: none. */
  readonly toolCalls?: readonly LmToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: LmUsage;
  /** The cap that it was written under; absent: that of the request. */
  readonly maxCompletionTokens?: number;
  /** One entry per generated token, where the request set `topLogprobs` and the server heeds it. */
  readonly logprobs?: readonly GeneratedToken[];
  /** Model name as the server reported it. */
  readonly model: string;
  /** Wall time of the successful attempt; for a cached reply, the time of the original call. */
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
  /**
   * For logs and errors; the LM that a reranker or a metric receives takes it as a name below its
   * own path.
   */
  readonly callPath?: string;
  /** For logs and errors: the example's id, or the request's. */
  readonly exampleId?: string;
  /** Streams: called with each piece as it arrives. A cached reply arrives as one piece. */
  readonly onDelta?: (delta: LmDelta) => void;
  /**
   * Retracts the pieces so far. With it, a broken stream may restart; without it, a stream never
   * restarts after its first piece was delivered.
   */
  readonly onRestart?: () => void;
  /**
   * For callers that measure time: called with `true` when the call starts to queue behind others
   * of this process, and with `false` when its turn comes or it leaves the queue.
   */
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** Called before each further request for the same call, which waits for it. */
  readonly onRetry?: (fault: Error & Pick<Failure, "code">) => void | Promise<void>;
  /** Milliseconds until the caller gives up; every pause before a further request is shorter. */
  readonly timeLeftMs?: () => number;
  /**
   * The call was made elsewhere, under caps that held room for it: it is counted and its reply is
   * kept, but no server is asked again.
   */
  readonly made?: MadeCall;
}

/** How a call made elsewhere ended. */
export type MadeCall = {
  /** The transient faults after which it was sent again. @default [] */
  readonly faults?: readonly Failure["code"][];
} & ({ readonly reply: LmReply } | { readonly failure: Failure });

export interface LmDelta {
  readonly content?: string;
  readonly reasoning?: string;
}

/** Models with equal identity share cached replies. Neither URL nor credentials belong here. */
export interface LmIdentity {
  readonly provider: string;
  readonly model: string;
}

/**
 * A chat model. Implement `doGenerate`; users call predictors. Fails with an `LmError` for
 * transport and server faults, and rejects with the signal's reason when aborted. Returns every
 * valid envelope unchanged, whatever its content: judging content is the predictor's job.
 */
export interface LanguageModel {
  readonly identity: LmIdentity;
  doGenerate(request: LmRequest, options?: LmCallOptions): Promise<LmReply>;
}

/** Greedy decoding with room for 4,096 tokens; every other setting is off. */
export const defaultSampling: Sampling = Object.freeze({
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  maxCompletionTokens: 4096,
  stop: Object.freeze([]),
});

/** A position's alternatives, best first. A server may leave out the token that it sampled. */
export function alternativesOf(token: GeneratedToken): readonly TokenLogprob[] {
  const isListed = token.top.some((other) => other.token === token.token);
  return isListed ? token.top : [token, ...token.top];
}

/**
 * Masses as shares of their sum; `null` if the sum is 0. A server reports probabilities before or
 * after its masks, so those of the labels need not add up to 1.
 */
export function sharesOf<TLabel extends string>(
  masses: Readonly<Record<TLabel, number>>,
): Readonly<Record<TLabel, number>> | null {
  const held = Object.entries<number>(masses);
  const total = held.reduce((sum, [, mass]) => sum + mass, 0);
  if (!(total > 0)) return null;
  return Object.fromEntries(held.map(([label, mass]) => [label, mass / total])) as Readonly<
    Record<TLabel, number>
  >;
}
