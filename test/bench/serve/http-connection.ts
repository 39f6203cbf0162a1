import { once } from "node:events";
import { connect } from "node:net";

export interface HttpReply {
  readonly status: number;
  readonly body: string;
}

/**
 * A keep-alive connection for one request at a time. It uses bare sockets, so that generating load
 * costs a fraction of answering it; it reads only the HTTP/1.1 that Node.js servers write, and only
 * ASCII.
 */
export interface HttpConnection extends Disposable {
  /** Rejects if the connection breaks or nothing arrives for two minutes. */
  post(path: string, body: string): Promise<HttpReply>;
}

export async function httpConnection(url: string): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let asked: PromiseWithResolvers<HttpReply> | undefined;
  let received = "";
  const fail = (error: Error): void => {
    asked?.reject(error);
    asked = undefined;
  };
  socket.setEncoding("latin1");
  socket.on("data", (piece: string) => {
    received += piece;
    const reply = replyIn(received);
    if (reply === undefined) return;
    received = "";
    // Unrequested data belongs to another request.
    if (asked === undefined) socket.destroy();
    else asked.resolve(reply);
    asked = undefined;
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("The connection was closed.")));
  socket.setTimeout(120_000, () => socket.destroy(new Error("No answer in two minutes.")));
  await once(socket, "connect");
  return {
    post: async (path, body) => {
      if (socket.destroyed) throw new Error("The connection was closed.");
      asked = Promise.withResolvers<HttpReply>();
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return asked.promise;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** Returns `undefined` while the reply is incomplete. */
function replyIn(received: string): HttpReply | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const head = received.slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const body = received.slice(headEnd + 4);
  if (length !== undefined) {
    return body.length < Number(length) ? undefined : { status, body };
  }
  return body.endsWith("0\r\n\r\n") ? { status, body: unchunked(body) } : undefined;
}

function unchunked(body: string): string {
  let text = "";
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.slice(at, lineEnd), 16);
    if (!(size > 0)) return text;
    text += body.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
}
