import { Hono } from "hono";
import { cors } from "hono/cors";
import { mockLabel } from "../../mock/index.ts";
import type { Json, JsonObject } from "../../contract/index.ts";
import type { Admission } from "../answer/admission.ts";
import { ApiError, internalError } from "../api-error/api-error.ts";
import type { HostCheck } from "./known-hosts.ts";
import type { Readiness } from "./readiness.ts";
import type { ProtocolAdapter, ServeContext } from "../protocol/protocol-adapter.ts";
import type { ServerMetrics } from "../telemetry/server-metrics.ts";

/** Set on every response of a server whose LM is a mock. */
const mockHeader = "x-espalier-lm";

/** All routes of the server, from a request to a response. */
export function chatApp({
  adapters,
  context,
  origins,
  checkHost,
  basePath,
  metrics,
  admission,
  ready,
  isDraining,
}: {
  readonly adapters: readonly ProtocolAdapter[];
  readonly context: ServeContext;
  readonly origins: readonly string[];
  readonly checkHost: HostCheck;
  /** Not part of the routes' paths: `/ai` if requests come below it. */
  readonly basePath: string;
  readonly metrics: ServerMetrics;
  readonly admission: Admission;
  readonly ready: () => Promise<Readiness>;
  readonly isDraining: () => boolean;
}): Hono {
  const app = new Hono(
    basePath === "" ? {} : { getPath: (request) => pathBelow(basePath, request) },
  );
  const probed = new Set(["/health", "/ready"]);
  const open = new Set([...probed, ...adapters.flatMap(({ openPaths = [] }) => openPaths)]);

  app.onError((error, c) => {
    const fault = error instanceof ApiError ? error : internalError();
    metrics.refused({ status: fault.status, code: fault.code });
    if (fault !== error) context.log("error", { problem: `${error.name}: ${error.message}` });
    if (fault.retryAfterSeconds !== undefined) {
      c.header("retry-after", String(fault.retryAfterSeconds));
    }
    if (fault.status === 401) c.header("www-authenticate", "Bearer");
    // Do not wait for the unread rest of a body.
    if (fault.status === 413) c.header("connection", "close");
    return c.json(fault.body, fault.status);
  });
  app.notFound((c) => {
    const asked = `${c.req.method} ${c.req.path.slice(0, 200)}`;
    const message = `There is no route ${asked}. The routes are ${shownRoutes(app, adapters).join(", ")}.`;
    throw new ApiError(404, "route_not_found", message);
  });
  const mock = mockLabel(context.mocks).name;
  if (mock !== "") {
    app.use(async (c, next) => {
      c.header(mockHeader, mock);
      await next();
    });
  }
  app.use(async (c, next) => {
    // Health probes may use any address; their replies contain no user data.
    if (!probed.has(c.req.path)) checkHost(c.req.header("host"));
    await next();
  });
  if (origins.length > 0) {
    app.use(
      cors({
        origin: origins.includes("*") ? "*" : [...origins],
        allowMethods: ["GET", "POST", "OPTIONS"],
        allowHeaders: ["authorization", "content-type"],
        exposeHeaders: ["x-request-id", "retry-after", mockHeader],
        maxAge: 600,
      }),
    );
  }
  app.use(async (c, next) => {
    if (!open.has(c.req.path)) context.keyNameOf(c.req.raw);
    await next();
  });

  const known: Readonly<Record<string, Json>> = { status: "ok", name: context.name };
  const health = Object.assign({}, known, ...adapters.map((adapter) => adapter.health));
  app.get("/health", (c) => c.json(health as JsonObject));
  app.get("/ready", async (c) => {
    const { isReady, checks } = await ready();
    if (isDraining()) return c.json({ status: "stopping", checks }, 503);
    return c.json({ status: isReady ? "ready" : "unavailable", checks }, isReady ? 200 : 503);
  });
  app.get("/metrics", (c) =>
    c.text(metrics.text(admission), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    }),
  );
  for (const adapter of adapters) adapter.mount(app, context);
  return app;
}

function pathBelow(basePath: string, request: Request): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/**
 * The routes that clients can use, for example `POST /v1/chat/completions`, without a page's files,
 * which need no key.
 */
export function shownRoutes(app: Hono, adapters: readonly ProtocolAdapter[]): readonly string[] {
  const open = new Set(adapters.flatMap(({ openPaths = [] }) => openPaths));
  // `ALL` marks middleware around every route.
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !open.has(path));
  return routes.map(({ method, path }) => `${method} ${path.replace(":id{.+}", "{id}")}`);
}
