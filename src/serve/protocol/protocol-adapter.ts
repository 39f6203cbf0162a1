import type { Hono } from "hono";
import type { Json } from "../../contract/index.ts";
import type { BatchFormat } from "./batch-format.ts";
import type { ServeContext } from "./serve-context.ts";

/**
 * A protocol: routes of a server, and the rows of `espalier batch`. `espalier serve` and `espalier
 * batch` accept a file that default-exports one as `--protocol FILE`.
 */
export interface ProtocolAdapter {
  /**
   * Exact paths that need no key.
   * @default none: every route needs a key if the server has keys
   */
  readonly openPaths?: readonly string[];
  /**
   * Fields of `GET /health` that the protocol's clients expect; they replace the server's own.
   * @default none
   */
  readonly health?: Readonly<Record<string, Json>>;
  /** Models that its routes answer with; `espalier serve` checks that they exist. @default none */
  readonly models?: readonly string[];
  /** Rows of `espalier batch --protocol`. @default none */
  readonly batch?: BatchFormat;
  /**
   * Adds the routes, for example `app.post("/run", (c) => ...)`. `c.req.raw` is the Web-standard
   * `Request`, and a handler may return any `Response`; an `ApiError` that it throws becomes the
   * response.
   */
  mount(app: Hono, context: ServeContext): void;
}
