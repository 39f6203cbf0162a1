import type { FinishReason, LmReply, LmRole } from "../../contract/index.ts";
import type { Shape } from "../../internal/index.ts";
import {
  amount,
  at,
  finite,
  jsonOrUndefined,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  text,
} from "../../internal/index.ts";

const finishReasons = {
  stop: true,
  length: true,
  "content-filter": true,
  "tool-calls": true,
  other: true,
} as const satisfies Record<FinishReason, true>;

const roles = {
  student: true,
  reflection: true,
  judge: true,
  embedding: true,
  reranking: true,
  teacher: true,
  shadow: true,
  tool: true,
} as const satisfies Record<LmRole, true>;

export const roleShape: Shape = oneOf(...Object.keys(roles));

export const identityShape: Shape = objectOf({ provider: text, model: text });

const logprob = { token: text, logprob: finite };

/** The required shape of a reply that was kept, in a cache, a run or a queue. */
export const replyShape: Shape = objectOf({
  content: orNull(text),
  reasoning: orNull(text),
  toolCalls: optional(listOf(objectOf({ id: text, name: text, arguments: text }))),
  finishReason: oneOf(...Object.keys(finishReasons)),
  usage: objectOf({
    promptTokens: orNull(amount),
    completionTokens: orNull(amount),
    cachedPromptTokens: orNull(amount),
    reasoningTokens: orNull(amount),
  }),
  logprobs: optional(listOf(objectOf({ ...logprob, top: listOf(objectOf(logprob)) }))),
  model: text,
  latencyMs: amount,
  source: oneOf("server", "cache", "recording"),
} satisfies Record<keyof LmReply, Shape | ReturnType<typeof optional>>);

/** A reply as JSON, or what is wrong with it. */
export function replyIn(json: string): { readonly reply: LmReply } | { readonly problem: string } {
  const reply = jsonOrUndefined(json);
  const problem = replyShape(reply);
  return problem === null ? { reply: reply as LmReply } : { problem: at("reply", problem) };
}
