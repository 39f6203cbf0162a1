import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { httpServer } from "./http-server.ts";

/** A server that listens. */
export interface RunningServer {
  readonly server: Server;
  /** Where it listens, as `127.0.0.1`. */
  readonly address: string;
  readonly url: string;
}

/**
 * Starts a server of HTTP. Rejects with Node's own error for a port that it cannot bind to.
 *
 * @param port 0: any that is free
 */
export async function runServer({
  host,
  port,
  ...settings
}: Parameters<typeof httpServer>[0] & {
  readonly host: string;
  readonly port: number;
}): Promise<RunningServer> {
  const server = httpServer(settings);
  return { server, ...(await listen(server, { host, port })) };
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly address: string; readonly url: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host, backlog }, resolve);
  await promise;
  server.off("error", reject);
  const { address, family, port: taken } = server.address() as AddressInfo;
  const shown = family === "IPv6" ? `[${address}]` : address;
  return { address, url: `http://${shown}:${taken}` };
}

/**
 * Connections that wait to be taken. Node.js has 511, and a client that finds it full waits for
 * seconds, or for half a minute. Systems cut it down to what they allow.
 */
const backlog = 4_096;
