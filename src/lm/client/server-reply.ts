import type { BodyLimits } from "../../internal/index.ts";
import { boundedText, orAborted } from "../../internal/index.ts";

/** A reply whose body has not been read: status, headers, and a body that can be read once. */
export interface ServerReply {
  readonly status: number;
  headers(): Headers;
  /** The whole body within its limit, or the beginning of it for a refusal. */
  text(): Promise<string>;
  /** The bytes of an event stream, to be counted by the reader; `null` for any other body. */
  events(): AsyncIterable<Uint8Array> | null;
}

/**
 * The reply in a `fetch` response, read within the same limits. Its stream ends with the signal,
 * even if the `fetch` does not heed it.
 */
export function replyIn(
  { status, ok, headers, body }: Response,
  { maxReplyBytes, maxErrorBytes }: BodyLimits,
  signal?: AbortSignal,
): ServerReply {
  return {
    status,
    headers: () => headers,
    text: async () => {
      if (body === null) return "";
      return ok
        ? boundedText(body, { maxBytes: maxReplyBytes })
        : boundedText(body, { maxBytes: maxErrorBytes, atLimit: "cut" });
    },
    events: () =>
      headers.get("content-type")?.startsWith("text/event-stream") === true && body !== null
        ? untilAborted(body, signal)
        : null,
  };
}

async function* untilAborted(
  body: NonNullable<Response["body"]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await orAborted(pieces.next(), signal);
      if (done === true) return;
      yield value;
    }
  } finally {
    // It may wait for a piece that never comes.
    void pieces.return?.().catch(() => undefined);
  }
}
