import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { httpServer } from "./http-server.ts";

/** A listening server. */
export interface RunningServer {
  readonly server: Server;
  /** The address it listens to, for example `127.0.0.1`. */
  readonly address: string;
  readonly url: string;
}

/**
 * Starts an HTTP server. Rejects with Node's own error if it cannot bind to the port.
 *
 * @param port 0 picks a free port
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
 * Maximum connections waiting to be accepted. Node.js defaults to 511, and a client that finds the
 * backlog full waits for seconds, or for half a minute. Systems reduce it to their own limit.
 */
const backlog = 4_096;
