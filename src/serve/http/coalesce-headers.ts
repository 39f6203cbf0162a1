import type { ServerResponse } from "node:http";

/**
 * Has the head of a streamed response wait for the rest of the turn of the event loop in which it
 * is sent, so that it and the first piece are one write to the socket: each is dear.
 */
export function coalesceHeaders(outgoing: ServerResponse): void {
  const flush = outgoing.flushHeaders.bind(outgoing);
  outgoing.flushHeaders = () => {
    const { socket } = outgoing;
    // Not the response: uncorked, it would send each part of a chunk by itself.
    socket?.cork();
    flush();
    setImmediate(() => socket?.uncork());
  };
}
