import type { SentEvent } from "./sent-events.ts";
import { sentEvents } from "./sent-events.ts";

/** An error that a server reported inside a stream. */
export class StreamedError extends Error {
  readonly body: object;

  constructor(body: object) {
    super("The server sent an error inside a stream");
    this.name = "StreamedError";
    this.body = body;
  }
}

/**
 * The events of a streamed reply, parsed as JSON; see `sentEvents`. Ends at `[DONE]`.
 *
 * @throws StreamedError for an event that is an error, SyntaxError for one that is not JSON
 */
export async function* eventStream(
  body: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly unknown[]> {
  for await (const together of sentEvents(body, onBytes)) {
    const events: unknown[] = [];
    let fault: { readonly error: unknown } | undefined;
    let isOver = false;
    for (const event of together) {
      isOver = event.data === "[DONE]";
      if (isOver) break;
      try {
        events.push(eventIn(event));
      } catch (error) {
        fault = { error };
        break;
      }
    }
    // Pass on the events that arrived before a fault.
    if (events.length > 0) yield events;
    if (fault !== undefined) throw fault.error;
    if (isOver) return;
  }
}

function eventIn({ event: name, data }: SentEvent): unknown {
  const event = JSON.parse(data) as { readonly error?: object } | null;
  if (name === "error") throw new StreamedError(event?.error ?? event ?? {});
  if (event?.error) throw new StreamedError(event.error);
  return event;
}
