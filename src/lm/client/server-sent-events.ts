/** One event as a server sent it. */
export interface ServerSentEvent {
  /** Empty for the usual kind. */
  readonly name: string;
  readonly data: string;
}

/**
 * The events of a body; those that came together in one list, since each turn of a generator is dear. Reads
 * the event streams of the HTML standard, with two liberties: what a client does not need (comments, ids,
 * retry times) is passed over, and an event that lacks its empty line at the end of the body counts.
 *
 * @param onBytes called with the number of bytes whenever some came, also where they hold no event; what it
 *   throws ends the stream
 */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<readonly ServerSentEvent[]> {
  const utf8 = new TextDecoder();
  // Of a line that has not ended: put together once it has, or a long one would be copied with each piece.
  let pieces: string[] = [];
  let name = "";
  let data: string | null = null;
  const eventsIn = (lines: readonly string[]): readonly ServerSentEvent[] => {
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      if (line === "") {
        if (data !== null) events.push({ name, data });
        name = "";
        data = null;
      } else if (line.startsWith("data:") || line === "data") {
        data = data === null ? valueIn(line) : `${data}\n${valueIn(line)}`;
      } else if (line.startsWith("event:") || line === "event") name = valueIn(line);
    }
    return events;
  };
  for await (const bytes of body) {
    onBytes(bytes.length);
    const piece = utf8.decode(bytes, { stream: true });
    const isAfterReturn = pieces.at(-1)?.endsWith("\r") === true;
    pieces.push(piece);
    if (!isAfterReturn && !/[\r\n]/.test(piece)) continue;
    const text = pieces.join("");
    // The last may be the first half of the end of a line.
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    const lines = linesOf(text.slice(0, end));
    pieces = [(lines.pop() ?? "") + text.slice(end)];
    const events = eventsIn(lines);
    if (events.length > 0) yield events;
  }
  const events = eventsIn([...linesOf(pieces.join("") + utf8.decode()), ""]);
  if (events.length > 0) yield events;
}

function linesOf(text: string): string[] {
  return text.split(text.includes("\r") ? /\r\n|[\r\n]/ : "\n");
}

function valueIn(line: string): string {
  const colon = line.indexOf(":");
  if (colon === -1) return "";
  return line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
}
