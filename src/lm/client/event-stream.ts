import { exactJson } from "../../internal/index.ts";
import { ReportedError, reportedError } from "./reported-error.ts";
import type { SentEvent } from "./sent-events.ts";
import { sentEvents } from "./sent-events.ts";

/**
 * The events of a streamed reply, parsed as JSON; see `sentEvents`. Ends at `[DONE]`.
 *
 * @throws ReportedError for an event that is an error, SyntaxError for one that is not JSON
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
  const event: unknown = exactJson(data);
  const fault = reportedError(event);
  if (fault !== undefined) throw fault;
  if (name === "error") throw new ReportedError(event ?? {});
  return event;
}
