import { z } from "zod";
import { arrayOf } from "../client/reply-values.ts";

/**
 * The parts of a `POST /chat/completions` reply that we read; one choice, since `n` is never sent.
 */
export interface ChatEnvelope {
  readonly model?: string | null | undefined;
  readonly choices: readonly [WireChoice & { readonly message: WireText }, ...unknown[]];
  readonly usage: WireUsage | null;
}

/** The parts of a streamed chunk that we read; the chunk that carries the usage has no choices. */
export interface ChatChunk {
  readonly model?: string | null | undefined;
  readonly choices: readonly [
    ((WireChoice & { readonly delta: WireText }) | undefined)?,
    ...unknown[],
  ];
  readonly usage: WireUsage | null;
}

interface WireChoice {
  /** Moonshot reports it here. */
  readonly usage: WireUsage | null;
  readonly finish_reason?: string | null | undefined;
  /** `WireLogprobs`, where they were asked for. */
  readonly logprobs?: unknown;
}

/** A call whole, or a piece of one in a stream. */
export interface WireToolCall {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?:
    | {
        readonly name?: string | null | undefined;
        readonly arguments?: string | Readonly<Record<string, unknown>> | null | undefined;
      }
    | null
    | undefined;
}

/** Text as it is, or parts that hold it: `text`, `thinking` and others. */
export type WireWords = string | WirePart | readonly WirePart[] | null | undefined;

export type WirePart = Readonly<Record<string, unknown>>;

export interface WireText {
  readonly content?: WireWords;
  readonly reasoning?: WireWords;
  readonly reasoning_content?: WireWords;
  readonly refusal?: string | null | undefined;
  readonly tool_calls?: readonly WireToolCall[] | null | undefined;
}

export interface WireUsage {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined }
    | null
    | undefined;
  readonly completion_tokens_details?:
    | { readonly reasoning_tokens?: number | null | undefined }
    | null
    | undefined;
}

export type WireLogprobs = readonly (WireTokenLogprob & {
  readonly top_logprobs: readonly WireTokenLogprob[];
})[];

interface WireTokenLogprob {
  readonly token: string;
  readonly logprob: number;
}

const count = z.int().nonnegative().nullish().catch(null);

// A count that cannot be read is unknown: no reason to lose the reply.
const usage = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
    completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  })
  .nullable()
  .default(null)
  .catch(null);

const tokenLogprob = z.object({ token: z.string(), logprob: z.number() });

export const logprobsEnvelope: z.ZodType<WireLogprobs> = arrayOf(
  tokenLogprob.extend({ top_logprobs: arrayOf(tokenLogprob) }),
);

const toolCall = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});

const part = z.record(z.string(), z.unknown());
const words = z.union([z.string(), arrayOf(part), part]).nullish();

// Older servers call it `reasoning_content`.
const text = {
  content: words,
  reasoning: words,
  reasoning_content: words,
  refusal: z.string().nullish(),
  tool_calls: arrayOf(toolCall).nullish(),
};

const choice = { usage, finish_reason: z.string().nullish(), logprobs: z.unknown().optional() };

export const chatEnvelope: z.ZodType<ChatEnvelope> = z.object({
  model: z.string().nullish().catch(null),
  choices: z.tuple([z.object({ message: z.object(text), ...choice })], z.unknown()),
  usage,
});

export const chatChunk: z.ZodType<ChatChunk> = z.object({
  model: z.string().nullish().catch(null),
  choices: z.tuple([z.object({ delta: z.object(text), ...choice }).optional()], z.unknown()),
  usage,
});
