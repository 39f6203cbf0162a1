import type {
  LanguageModel,
  LmCallOptions,
  LmReply,
  LmRequest,
} from "../../../../src/contract/index.ts";
import { filesIn, imagesIn, textOfMessage } from "../../../../src/contract/index.ts";
import { LmError } from "../../../../src/errors/index.ts";
import type { Clock } from "../../../../src/internal/index.ts";
import { systemClock } from "../../../../src/internal/index.ts";
import { imageTokens } from "../reading/index.ts";
import { clauseReader } from "../steering/index.ts";
import { textReader } from "../text/index.ts";
import { composeReply } from "./compose-reply.ts";
import { generatedTokens } from "./generated-tokens.ts";
import { countTokens, tokenize } from "./tokenizer.ts";

export interface RehearsalLmOptions {
  /** @default "rehearsal" */
  readonly model?: string;
  /** Times calls; replies do not depend on it. */
  readonly clock?: Clock;
}

/**
 * A rule-based mock for a language model. The same request always gives the same reply (except
 * for `latencyMs`); it depends on nothing but the request.
 */
export function rehearsalLm({
  model = "rehearsal",
  clock = systemClock,
}: RehearsalLmOptions = {}): LanguageModel {
  const reader = textReader();
  const tools = { reader, readClauses: clauseReader(reader) };
  return {
    identity: { provider: "rehearsal", model },
    doGenerate: async (request: LmRequest, { signal, onDelta }: LmCallOptions = {}) => {
      signal?.throwIfAborted();
      refuseFiles(request, model);
      const start = clock.now();
      const reply = replyTo(request, composeReply(request, tools));
      if (reply.reasoning !== null) onDelta?.({ reasoning: reply.reasoning });
      if (onDelta !== undefined) {
        for (const token of tokenize(reply.content ?? "")) onDelta({ content: token });
      }
      return { ...reply, model, latencyMs: clock.now() - start };
    },
  };
}

/** It reads texts and what a PNG says of itself, and no document. */
function refuseFiles({ messages }: LmRequest, model: string): void {
  if (filesIn(messages).length === 0) return;
  throw new LmError({
    code: "lm-unsupported",
    problem: `The rehearsal LM \`${model}\` cannot read the file in the request`,
    fix: "Pass the file's text, or use a server that accepts files as message parts.",
  });
}

/** Applies the sampling's length limits: thinking first, then content, within the token limit. */
function replyTo(
  request: LmRequest,
  composed: ReturnType<typeof composeReply>,
): Omit<LmReply, "model" | "latencyMs"> {
  const { maxCompletionTokens, stop } = request.sampling;
  const thought = tokenize(composed.reasoning ?? "");
  const reasoning = thought.slice(0, maxCompletionTokens);
  const stopped = beforeStop(composed.text, stop);
  const tokens = tokenize(stopped);
  const content = tokens.slice(0, maxCompletionTokens - reasoning.length);
  const calls = (composed.calls ?? []).map(({ tool, input }, index) => ({
    id: `call-${index + 1}`,
    name: tool,
    arguments: JSON.stringify(input),
  }));
  const isCut = reasoning.length + content.length < thought.length + tokens.length;
  const text = content.join("");
  return {
    content: content.length === 0 && isCut ? null : text,
    reasoning: thought.length === 0 ? null : reasoning.join(""),
    ...(calls.length > 0 && { toolCalls: calls }),
    finishReason: isCut ? "length" : calls.length > 0 ? "tool-calls" : "stop",
    usage: {
      promptTokens: promptTokens(request),
      completionTokens:
        reasoning.length +
        content.length +
        countTokens(calls.map((call) => call.arguments).join("")),
      cachedPromptTokens: null,
      reasoningTokens: thought.length === 0 ? null : reasoning.length,
    },
    ...(request.topLogprobs === undefined
      ? {}
      : { logprobs: generatedTokens(text, composed.choices, request.topLogprobs) }),
    source: "server",
  };
}

/** Tokens that the chat template adds around each message. */
const perMessage = 4;

/** Tokens of a request's messages and their pictures, as `usage` reports them. */
export function promptTokens({ messages }: Pick<LmRequest, "messages">): number {
  return messages.reduce(
    (sum, message) => sum + countTokens(textOfMessage(message)) + perMessage,
    imagesIn(messages).reduce((sum, { url }) => sum + imageTokens(url), 0),
  );
}

function beforeStop(text: string, stop: readonly string[]): string {
  const places = stop
    .filter((mark) => mark !== "")
    .map((mark) => text.indexOf(mark))
    .filter((index) => index >= 0);
  return places.length === 0 ? text : text.slice(0, Math.min(...places));
}
