import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { VllmAddress } from "../../support/server-kinds.ts";

/** A way to a server on which equal requests get equal answers. */
export interface FirstAnswers extends AsyncDisposable {
  readonly address: VllmAddress;
}

/**
 * Passes each request on to a real server and its answer back, but answers a request that was
 * answered before as it was then. Greedy, vLLM's CPU build answers alike almost always: what shares
 * a batch, and what is left in the prefix cache, moves last digits. A server that is away looks
 * like one: nothing is answered in its place.
 */
export async function firstAnswers(to: VllmAddress): Promise<FirstAnswers> {
  const known = new Map<string, Buffer>();
  const server = createServer((given, response) => {
    void (async () => {
      const body = await bytesOf(given);
      const { method = "GET", url = "/", headers } = given;
      const sent = request(`${to.root}${url}`, { method, headers, agent: false });
      response.once("close", () => void sent.destroy());
      sent.end(body);
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      const received = await bytesOf(answer);
      const { statusCode: status = 500 } = answer;
      const key = `${method} ${url}\n${body.toString()}`;
      if (status === 200 && !known.has(key)) known.set(key, received);
      const content = status === 200 ? known.get(key) : received;
      const type = answer.headers["content-type"] ?? "application/json";
      response.writeHead(status, { "content-type": type }).end(content);
    })().catch(() => given.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: { ...to, root, baseUrl: `${root}/v1` },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray());
}
