import type { Hono } from "hono";
import type { Json } from "../../contract/index.ts";
import type { ServeContext } from "./serve-context.ts";

/**
 * A protocol on the server. What it mounts is behind the keys, except what it lists as open; an
 * `ApiError` that a route throws is answered as such.
 */
export interface ProtocolAdapter {
  /** Paths that are answered without a key, exactly as they stand. @default none */
  readonly openPaths?: readonly string[];
  /** What its clients look for in `GET /health`; goes over what the server says there. @default nothing */
  readonly health?: Readonly<Record<string, Json>>;
  mount(app: Hono, context: ServeContext): void;
}
