import type { EventSourceMessage } from "eventsource-parser";
import { createParser } from "eventsource-parser";

/** One event as a server sent it; `event` names its kind, where it is not the usual one. */
export type SentEvent = Pick<EventSourceMessage, "event" | "data">;

/**
 * The events of a body; those that came together in one list, since each turn of a generator is
 * expensive. On two thousand events of one token each, eventsource-parser took .55 us of CPU an
 * event where our own parser took .85. Unlike the HTML standard, it counts an event that lacks its
 * empty line at the end of the body.
 *
 * @param onBytes called with the number of bytes whenever some came, also where they hold no event;
 *   what it throws ends the stream
 */
export async function* sentEvents(
  body: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<readonly SentEvent[]> {
  const utf8 = new TextDecoder();
  let arrived: SentEvent[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  for await (const bytes of body) {
    onBytes(bytes.length);
    parser.feed(utf8.decode(bytes, { stream: true }));
    if (arrived.length === 0) continue;
    const together = arrived;
    arrived = [];
    yield together;
  }
  parser.feed(`${utf8.decode()}\n\n`);
  if (arrived.length > 0) yield arrived;
}
