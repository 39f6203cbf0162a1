import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** Everything that was sent: method, address, headers, body. */
  readonly sent: readonly string[];
  /** Resolves once it has seen so many requests. */
  saw(count: number): Promise<void>;
}

/** Passes requests on, notes each, and answers 500 from a given one on in place of the server. */
export async function recordingProxy(
  target: string,
  { failsFrom = Infinity }: { readonly failsFrom?: number } = {},
): Promise<RecordingProxy> {
  const sent: string[] = [];
  let look = (): void => {};
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const { method = "GET", url = "/" } = incoming;
      const body = Buffer.concat(pieces);
      sent.push(`${method} ${url}\n${JSON.stringify(incoming.headers)}\n${body.toString()}`);
      look();
      if (sent.length >= failsFrom) {
        outgoing.writeHead(500).end("down");
        return;
      }
      const {
        host: _host,
        connection: _connection,
        "content-length": _length,
        ...headers
      } = incoming.headers as Record<string, string>;
      const pass = async (): Promise<void> => {
        const sending = { method, headers, ...(body.length > 0 && { body }) };
        const reply = await fetch(`${target}${url}`, sending);
        const type = reply.headers.get("content-type") ?? "text/plain";
        outgoing.writeHead(reply.status, { "content-type": type });
        outgoing.end(Buffer.from(await reply.arrayBuffer()));
      };
      pass().catch((error: unknown) => outgoing.writeHead(502).end(String(error)));
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    saw: (count) =>
      new Promise((done) => {
        look = () => {
          if (sent.length >= count) done();
        };
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}
