import type { GrowingText } from "../../internal/index.ts";
import { growingText } from "../../internal/index.ts";

/** One stream of server-sent events. */
export interface EventStream {
  /** The response body. Open it only to send it: an unsent stream must not be kept alive. */
  open(): ReadableStream<Uint8Array>;
  /**
   * `event` names the event's type, if it has one. Data given as a function is made, in the order
   * of the calls, when there is room for it. Does nothing once the stream is closed.
   */
  readonly send: (data: string | (() => string), event?: string) => void;
  /**
   * Sends the next piece of a text, as `send` does with what `dataOf` makes of it. What the client
   * has not taken is kept as text, and sent in larger pieces.
   */
  readonly say: (piece: string, dataOf: (piece: string) => string, event?: string) => void;
  close(): void;
}

/** What waits until the client reads. */
type Waiting =
  | { readonly frame: () => string }
  | {
      readonly text: GrowingText;
      readonly dataOf: (piece: string) => string;
      readonly event: string | undefined;
    };

/**
 * @param keepAliveMs silence after which a comment is sent: clients ignore it, and proxies see
 *   activity
 * @param onCancel the client has disconnected
 */
export function eventStream({
  keepAliveMs,
  onCancel,
}: {
  readonly keepAliveMs: number;
  readonly onCancel: () => void;
}): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let unsent = "";
  let waiting: Waiting[] = [];
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const frames = unsent;
    // First, since the reader may ask for more at once.
    unsent = "";
    if (frames !== "") controller?.enqueue(encoder.encode(frames));
  };
  const isFull = (): boolean =>
    waiting.length > 0 || (controller?.desiredSize ?? 0) <= unsent.length;
  const write = (text: string): void => {
    // Data of one turn of the event loop is sent in one piece: each write to a socket is expensive.
    if (unsent === "") {
      setImmediate(flush);
      timer?.refresh();
    }
    unsent += text;
  };
  const end = (): void => {
    clearInterval(timer);
    controller = undefined;
    waiting = [];
  };
  /** Sends what waits, as far as there is room. */
  const pull = (): void => {
    while (waiting.length > 0 && (controller?.desiredSize ?? 0) > 0) {
      unsent += nextOf(waiting);
      flush();
    }
    if (!isClosing || waiting.length > 0) return;
    flush();
    controller?.close();
    end();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started;
      },
      pull,
      cancel: () => {
        end();
        onCancel();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  );
  return {
    open: () => {
      timer ??= setInterval(() => {
        if (!isFull()) write(": still at it\n\n");
      }, keepAliveMs);
      return body;
    },
    send: (data, event) => {
      if (isClosing || controller === undefined) return;
      const frame = (): string => frameOf(typeof data === "string" ? data : data(), event);
      if (isFull()) waiting.push({ frame });
      else write(frame());
    },
    say: (piece, dataOf, event) => {
      if (isClosing || controller === undefined) return;
      if (!isFull()) return write(frameOf(dataOf(piece), event));
      let last = waiting.at(-1);
      if (last === undefined || !("text" in last) || last.dataOf !== dataOf) {
        last = { text: growingText(), dataOf, event };
        waiting.push(last);
      }
      last.text.add(piece);
    },
    close: () => {
      isClosing = true;
      pull();
    },
  };
}

/** Takes out the next frame; a long text makes several. */
function nextOf(waiting: Waiting[]): string {
  const [next] = waiting;
  if (next === undefined) return "";
  if ("frame" in next) {
    waiting.shift();
    return next.frame();
  }
  const piece = next.text.take();
  if (next.text.length === 0) waiting.shift();
  return frameOf(next.dataOf(piece), next.event);
}

function frameOf(data: string, event: string | undefined): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}

const maxUnreadBytes = 16_384;

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  // Some proxies buffer a stream until it is complete.
  "x-accel-buffering": "no",
};
