/** One stream of server-sent events. */
export interface EventStream {
  /** The response body. Open it only to send it: an unsent stream must not be kept alive. */
  open(): ReadableStream<Uint8Array>;
  /** Does nothing once the stream is closed. */
  /** `event` names the event's type, if it has one. */
  readonly send: (data: string, event?: string) => void;
  close(): void;
}

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
  const flush = (): void => {
    if (unsent !== "") controller?.enqueue(encoder.encode(unsent));
    unsent = "";
  };
  const write = (text: string): void => {
    // Data of one turn of the event loop is sent in one piece: each write to a socket is expensive.
    if (unsent === "") {
      setImmediate(flush);
      timer?.refresh();
    }
    unsent += text;
  };
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(timer);
    controller = undefined;
  };
  const body = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started;
    },
    cancel: () => {
      end();
      onCancel();
    },
  });
  return {
    open: () => {
      timer ??= setInterval(() => write(": still at it\n\n"), keepAliveMs);
      return body;
    },
    send: (data, event) =>
      write(event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`),
    close: () => {
      flush();
      controller?.close();
      end();
    },
  };
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  // Some proxies buffer a stream until it is complete.
  "x-accel-buffering": "no",
};
