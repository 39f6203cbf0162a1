import type { LanguageModel } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { CanaryReport } from "./canary/canary-report.ts";
import type { Serving } from "./model/serving.ts";
import type { ListedModel } from "./versions/model-table.ts";
import { chatParts } from "./chat-parts.ts";
import type { ChatServerOptions, HandlerOptions } from "./chat-server-options.ts";
import { runServer } from "./http/http-server.ts";

/** Chat models as a handler of Web-standard requests. */
export interface ChatHandler extends AsyncDisposable {
  fetch(request: Request): Promise<Response>;
  /**
   * The routes that clients can use, for example `POST /v1/chat/completions`, without a page's
   * files.
   */
  readonly routes: readonly string[];
  /** Names of all models and versions. */
  models(): Promise<readonly ListedModel[]>;
  /** Current and past candidate trials. */
  rollouts(): Promise<readonly CanaryReport[]>;
  /**
   * Refuses further questions and waits up to `drainMs` for unfinished answers; a second call stops
   * at once.
   */
  stop(): Promise<void>;
}

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

/**
 * Chat models behind the `fetch` of another server: hono, Next.js, Express, Bun, Deno. That server
 * listens, checks `Host`, and limits how long a request may take to arrive.
 *
 * @throws EspalierError `option-invalid`, `artifact-drifted` and those of the registry;
 *   `serving-invalid` if neither the serving nor the options name an LM
 * @example
 * const models = await handler(serving, { lm, basePath: "/ai" });
 * app.all("/ai/*", (c) => models.fetch(c.req.raw)); // hono
 */
export async function handler(
  serving: Serving,
  {
    lm = serving.lm,
    ...options
  }: Omit<HandlerOptions, "serving" | "lm"> & { readonly lm?: LanguageModel } = {},
): Promise<ChatHandler> {
  if (lm === undefined) {
    throw new EspalierError({
      code: "serving-invalid",
      problem: `The serving "${serving.name}" has no LM`,
      expected: "`lm` in the options or in the serving",
    });
  }
  const parts = await chatParts({ ...options, serving, lm, host: null });
  await parts.start();
  const { fetch, routes, models, rollouts } = parts;
  const stop = (): Promise<void> => parts.stop(null);
  return { fetch, routes, models, rollouts, stop, [Symbol.asyncDispose]: stop };
}
