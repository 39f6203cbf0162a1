import type { Hono } from "hono";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";

/**
 * What clients can ask, as `POST /v1/chat/completions`; the files of a page, which are open, apart.
 */
export function shownRoutes(app: Hono, faces: readonly ProtocolAdapter[]): readonly string[] {
  const open = new Set(faces.flatMap(({ openPaths = [] }) => openPaths));
  // `ALL` is what goes around every route.
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !open.has(path));
  return routes.map(({ method, path }) => `${method} ${path}`);
}
