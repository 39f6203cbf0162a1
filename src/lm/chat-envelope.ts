import { z } from "zod";

const usage = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  prompt_tokens_details: z.object({ cached_tokens: z.int().nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int().nullish() }).nullish(),
});

const tokenLogprob = z.object({ token: z.string(), logprob: z.number() });

const logprobs = z
  .object({
    content: z.array(tokenLogprob.extend({ top_logprobs: z.array(tokenLogprob) })).nullish(),
  })
  .nullish();

// Old servers call it `reasoning_content`.
const text = {
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
};

const finishReason = z.string().nullish();

/** What is read of a reply of `POST /chat/completions`; one choice, since `n` is never sent. */
export const chatEnvelope = z.object({
  model: z.string(),
  choices: z.tuple(
    [z.object({ message: z.object(text), finish_reason: finishReason, logprobs })],
    z.unknown(),
  ),
  usage,
});

/** What is read of one piece of a streamed reply; the piece with the usage has no choices. */
export const chatChunk = z.object({
  model: z.string(),
  choices: z.array(z.object({ delta: z.object(text), finish_reason: finishReason, logprobs })),
  usage: usage.nullish(),
});

export type WireUsage = z.infer<typeof usage>;
export type WireLogprobs = z.infer<typeof logprobs>;
