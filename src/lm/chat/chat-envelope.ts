import { z } from "zod";
import { arrayOf } from "../client/array-of.ts";

/**
 * The parts of a `POST /chat/completions` reply that we read; one choice, since `n` is never sent.
 */
export interface ChatEnvelope {
  readonly model: string;
  readonly choices: readonly [WireChoice & { readonly message: WireText }, ...unknown[]];
  readonly usage: WireUsage;
}

/** The parts of a streamed chunk that we read; the chunk that carries the usage has no choices. */
export interface ChatChunk {
  readonly model: string;
  readonly choices: readonly [
    ((WireChoice & { readonly delta: WireText }) | undefined)?,
    ...unknown[],
  ];
  readonly usage?: WireUsage | null | undefined;
}

interface WireChoice {
  readonly finish_reason?: string | null | undefined;
  readonly logprobs?: WireLogprobs;
}

/** A call whole, or a piece of one in a stream: pieces with one index belong together. */
export interface WireToolCall {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?:
    | {
        readonly name?: string | null | undefined;
        readonly arguments?: string | null | undefined;
      }
    | null
    | undefined;
}

interface WireText {
  readonly content?: string | null | undefined;
  readonly reasoning?: string | null | undefined;
  readonly reasoning_content?: string | null | undefined;
  readonly tool_calls?: readonly WireToolCall[] | null | undefined;
}

export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined }
    | null
    | undefined;
  readonly completion_tokens_details?:
    | { readonly reasoning_tokens?: number | null | undefined }
    | null
    | undefined;
}

export type WireLogprobs =
  | {
      readonly content?:
        | readonly (WireTokenLogprob & { readonly top_logprobs: readonly WireTokenLogprob[] })[]
        | null
        | undefined;
    }
  | null
  | undefined;

interface WireTokenLogprob {
  readonly token: string;
  readonly logprob: number;
}

const usage = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  prompt_tokens_details: z.object({ cached_tokens: z.int().nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int().nullish() }).nullish(),
});

const tokenLogprob = z.object({ token: z.string(), logprob: z.number() });

const logprobs = z
  .object({
    content: arrayOf(tokenLogprob.extend({ top_logprobs: arrayOf(tokenLogprob) })).nullish(),
  })
  .nullish();

const toolCall = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

// Older servers call it `reasoning_content`.
const text = {
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: arrayOf(toolCall).nullish(),
};

const finishReason = z.string().nullish();

export const chatEnvelope: z.ZodType<ChatEnvelope> = z.object({
  model: z.string(),
  choices: z.tuple(
    [z.object({ message: z.object(text), finish_reason: finishReason, logprobs })],
    z.unknown(),
  ),
  usage,
});

export const chatChunk: z.ZodType<ChatChunk> = z.object({
  model: z.string(),
  choices: z.tuple(
    [z.object({ delta: z.object(text), finish_reason: finishReason, logprobs }).optional()],
    z.unknown(),
  ),
  usage: usage.nullish(),
});
