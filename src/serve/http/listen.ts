import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Rejects with Node's own error for a port that cannot be had.
 *
 * @returns the address that is listened to, and its URL
 */
export async function listen(
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
 * Connections that wait to be taken. Node.js has 511, and who comes when it is full waits for
 * seconds, or for half a minute; systems cut it down to what they allow.
 */
const backlog = 4_096;
