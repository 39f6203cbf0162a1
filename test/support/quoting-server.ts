import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { forward } from "./forward.ts";

/** How a server quotes what it was sent. */
export type Quoting = "refusal" | "failure" | "no-json" | "wrong-shape" | "in-a-stream";

/**
 * A server in front of another that hands requests on, except those that `quotingOf` names: these
 * it answers with all headers it was sent, as they are, in base64 and with percent signs. Gateways
 * do so when they are set up to be debugged.
 */
export async function quotingServer(
  behind: string,
  quotingOf: (request: { readonly path: string; readonly body: string }) => Quoting | undefined,
): Promise<{ readonly host: string; readonly quoted: () => number } & AsyncDisposable> {
  let quoted = 0;
  const server = createServer(async (incoming, response) => {
    const { url: path = "/", method = "GET", headers } = incoming;
    let body = "";
    for await (const piece of incoming) body += String(piece);
    const quoting = quotingOf({ path, body });
    if (quoting !== undefined) {
      quoted += 1;
      quote(quoting, response, headers);
      return;
    }
    const answer = await forward(`${behind}${path}`, { method, body });
    response.writeHead(answer.statusCode ?? 500, {
      "content-type": answer.headers["content-type"] ?? "text/plain",
    });
    for await (const piece of answer) response.write(piece);
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    quoted: () => quoted,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function quote(quoting: Quoting, response: ServerResponse, headers: IncomingHttpHeaders): void {
  const values = Object.values(headers).flat().map(String);
  const words = values.flatMap((value) => [value, value.split(" ").at(-1) ?? ""]);
  const encoded = words.flatMap((word) => [
    Buffer.from(word).toString("base64"),
    encodeURIComponent(word),
  ]);
  const said = JSON.stringify({ headers, encoded });
  if (quoting === "in-a-stream") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ error: { message: said, code: 500 } })}\n\n`);
  } else if (quoting === "no-json") response.end(`<html>${said}</html>`);
  else {
    const status = { refusal: 401, failure: 500, "wrong-shape": 200 }[quoting];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: said }, said }));
  }
}
