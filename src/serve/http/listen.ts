import type { Server } from "node:http";

/** Rejects with Node's own error for a port that cannot be had. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host, backlog }, resolve);
  await promise;
  server.off("error", reject);
}

/**
 * Connections that wait to be taken. Node.js has 511, and who comes when it is full waits for seconds, or
 * for half a minute; systems cut it down to what they allow.
 */
const backlog = 4_096;
