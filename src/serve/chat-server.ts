import type { ChatHandler } from "./chat-handler.ts";
import { chatParts } from "./chat-parts.ts";
import type { ChatServerOptions } from "./chat-server-options.ts";
import { runServer } from "./http/run-server.ts";

/** A listening server; `stop` also closes its port. */
export interface ChatServer extends Omit<ChatHandler, "fetch"> {
  readonly url: string;
}

/**
 * Serves chat models over HTTP.
 *
 * @throws EspalierError `option-invalid`, `artifact-drifted` and those of the registry, before the
 *   port is opened; Node's own error if it cannot bind to the port
 */
export async function chatServer({
  host = "127.0.0.1",
  port = 0,
  hasLightGlobals = false,
  ...options
}: ChatServerOptions): Promise<ChatServer> {
  const parts = await chatParts({ ...options, host });
  const { server, address, url } = await runServer({
    host,
    port,
    fetch: parts.fetch,
    requestTimeoutMs: parts.requestTimeoutMs,
    hasLightGlobals,
    onRefused: parts.onRefused,
    onFault: parts.onFault,
  });
  await parts.start();
  parts.setAddress(address);
  const stop = (): Promise<void> => parts.stop(server);
  const { routes, models, rollouts } = parts;
  return { url, routes, models, rollouts, stop, [Symbol.asyncDispose]: stop };
}
