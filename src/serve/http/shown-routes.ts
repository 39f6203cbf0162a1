import type { Hono } from "hono";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";

/**
 * The routes that clients can use, for example `POST /v1/chat/completions`, without a page's files,
 * which need no key.
 */
export function shownRoutes(app: Hono, faces: readonly ProtocolAdapter[]): readonly string[] {
  const open = new Set(faces.flatMap(({ openPaths = [] }) => openPaths));
  // `ALL` marks middleware around every route.
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !open.has(path));
  return routes.map(({ method, path }) => `${method} ${path.replace(":id{.+}", "{id}")}`);
}
