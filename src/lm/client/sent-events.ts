import type { EventSourceMessage } from "eventsource-parser";
import { createParser } from "eventsource-parser";

/** One event as the server sent it; `event` names its kind unless it is the default one. */
export type SentEvent = Pick<EventSourceMessage, "event" | "data">;

/**
 * The events of a body. Events that arrive together come in one list, since each turn of a
 * generator is expensive. On two thousand events of one token each, eventsource-parser took .55 us
 * of CPU per event and our own parser .85. Unlike the HTML standard, it also yields an event that
 * lacks its empty line at the end of the body.
 *
 * @param onBytes called with the number of bytes for each piece, even one without an event; an
 * error that it throws ends the stream
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
