import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { messageOf } from "../../../src/errors/index.ts";
import type { ServerName, VllmAddress } from "./server-kinds.ts";
import type { VllmServers } from "./vllm-servers.ts";

/** Lends servers to other processes: `GET /NAME` answers once the server does. */
export async function supervisor(
  servers: VllmServers,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const http = createServer(async ({ url = "" }, response) => {
    try {
      response.end(JSON.stringify(await servers.address(url.slice(1) as ServerName)));
    } catch (error) {
      response.writeHead(500).end(messageOf(error));
    }
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await servers[Symbol.asyncDispose]();
    },
  };
}

/** Waits as long as the server needs to start; `fetch` would give up after five minutes. */
export async function askSupervisor(url: string, name: ServerName): Promise<VllmAddress> {
  const request = get(`${url}/${name}`);
  const [response] = (await once(request, "response")) as [Parameters<typeof text>[0]];
  const body = await text(response);
  try {
    return JSON.parse(body) as VllmAddress;
  } catch (cause) {
    throw new Error(body, { cause });
  }
}
