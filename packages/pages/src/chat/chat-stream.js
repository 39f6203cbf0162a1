// @ts-check
import { faultOfBody, ServerFault, unreachable } from "./server-fault.js";

/**
 * @typedef {{ url: string, title?: string, date?: string, text: string, sid: string }} Citation
 * @typedef {{ kind: "step", text: string }
 *   | { kind: "text", text: string }
 *   | { kind: "restarted" }
 *   | { kind: "citations", citations: readonly Citation[] }
 *   | { kind: "version", version: string, lmCalls: number }
 *   | { kind: "usage", promptTokens: number, completionTokens: number }
 *   | { kind: "whole", id: string }} ChatEvent
 *
 * @typedef {{
 *   content?: string,
 *   restarted?: boolean,
 *   reasoning_content?: string,
 *   citations?: readonly Citation[],
 *   metadata?: { version: string, lm_calls: number },
 * }} Delta
 * @typedef {{
 *   id: string,
 *   error?: { message?: string, code?: string },
 *   choices: readonly { delta: Delta, finish_reason: string | null }[],
 *   usage?: { prompt_tokens: number, completion_tokens: number } | null,
 * }} Chunk
 */

/**
 * The events of a streamed completion, in order; `whole` is the last event of a complete answer.
 *
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {AsyncGenerator<ChatEvent, void, void>}
 */
export async function* chatEvents(body) {
  let id = "";
  let isFinished = false;
  for await (const data of eventData(body)) {
    if (data === "[DONE]") break;
    /** @type {Chunk} */
    const chunk = JSON.parse(data);
    if (chunk.error) throw faultOfBody(chunk);
    id = chunk.id;
    const [choice] = chunk.choices;
    if (choice) yield* deltaEvents(choice.delta);
    if (choice?.finish_reason) isFinished = true;
    if (chunk.usage) {
      const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = chunk.usage;
      yield { kind: "usage", promptTokens, completionTokens };
    }
  }
  if (!isFinished) throw new ServerFault("The answer was interrupted.", { code: "broken_off" });
  yield { kind: "whole", id };
}

/**
 * @param {Delta} delta
 * @returns {Generator<ChatEvent, void, void>}
 */
function* deltaEvents({ content, restarted, reasoning_content: step, citations, metadata }) {
  if (step) yield { kind: "step", text: step.trimEnd() };
  // The content of such a piece is a dividing line, for clients that cannot retract text.
  if (restarted) yield { kind: "restarted" };
  else if (content) yield { kind: "text", text: content };
  if (citations) yield { kind: "citations", citations };
  if (metadata) {
    yield { kind: "version", version: metadata.version, lmCalls: metadata.lm_calls };
  }
}

/**
 * The data of server-sent events; skips comments, which keep a silent stream open.
 *
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 */
async function* eventData(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(unreachable);
      if (done) return;
      text += value;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) if (event.startsWith("data: ")) yield event.slice(6);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
