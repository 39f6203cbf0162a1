import { Hono } from "hono";
import { systemClock } from "../internal/index.ts";
import { ApiError, internalError } from "./api-error/api-error.ts";
import { hostGuard } from "./http/known-hosts.ts";
import { readJson } from "./http/read-json.ts";
import { runServer } from "./http/http-server.ts";
import { shutdown } from "./http/shutdown.ts";
import type { EventStream } from "./protocol/event-stream.ts";
import { eventStream } from "./protocol/event-stream.ts";

export interface GuardedServer extends AsyncDisposable {
  /** For example `http://127.0.0.1:8090`. */
  readonly url: string;
}

/** What routes are given. */
export interface GuardedTools {
  /** The JSON of a small body; throws an `ApiError`. */
  readonly readJson: (request: Request) => Promise<unknown>;
  /** A stream of server-sent events that ends with the server. */
  readonly eventStream: (onCancel: () => void) => EventStream;
}

export interface GuardedServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly mount: (app: Hono, tools: GuardedTools) => void;
  /** Called with errors that no route should have thrown. */
  readonly onFault: (error: unknown) => void;
}

/**
 * A server without keys for the local machine, behind the guards of `chatServer`: a `Host` of this
 * machine, and no answer that another origin may read. Requests that change something must come
 * from its own pages: other methods than GET and HEAD need an `Origin` that is the server's own.
 */
export async function guardedServer({
  host,
  port,
  mount,
  onFault,
}: GuardedServerOptions): Promise<GuardedServer> {
  const guard = hostGuard({ host, hosts: [], hasKeys: false });
  const ending = shutdown({ drainMs: 0, clock: systemClock });
  const streams = new Set<EventStream>();
  const app = new Hono();
  app.onError((error, c) => {
    const fault = error instanceof ApiError ? error : internalError();
    if (fault !== error) onFault(error);
    return c.json(fault.body, fault.status);
  });
  app.notFound(() => {
    throw new ApiError(404, "route_not_found", "There is no such route.");
  });
  app.use(async (c, next) => {
    guard.check(c.req.header("host"));
    if (!["GET", "HEAD"].includes(c.req.method)) checkOrigin(c.req.raw);
    await next();
    c.header("cross-origin-resource-policy", "same-origin");
  });
  mount(app, {
    readJson: (request) => readJson(request, bodyLimits),
    eventStream: (onCancel) => {
      const stream = eventStream({
        keepAliveMs: 15_000,
        onCancel: () => {
          streams.delete(stream);
          onCancel();
        },
      });
      streams.add(stream);
      return stream;
    },
  });
  const { server, address, url } = await runServer({
    host,
    port,
    fetch: app.fetch,
    requestTimeoutMs: 30_000,
    hasLightGlobals: false,
    onRefused: () => undefined,
    onFault,
  });
  guard.setAddress(address);
  return {
    url,
    [Symbol.asyncDispose]: () =>
      ending.stop(server, {
        onStart: () => {
          for (const stream of streams) stream.close();
          streams.clear();
        },
        idle: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
  };
}

const bodyLimits = { bytes: 65_536, depth: 8, values: 1_000 };

/** @throws ApiError 403 */
function checkOrigin(request: Request): void {
  const { host } = new URL(request.url);
  const given = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site") ?? "same-origin";
  if (given === `http://${host}` && site === "same-origin") return;
  throw new ApiError(
    403,
    "origin_not_allowed",
    "Only this server's pages may change anything: the request has a different `Origin`.",
  );
}
