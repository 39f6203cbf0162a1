import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { Context } from "hono";
import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";

/**
 * A page at `/` on which a person asks, watches, compares and rates. It holds nothing of the
 * server: the browser asks the routes that every client asks, with the key that the person gives
 * it.
 *
 * @param notice a sentence at its head, as where the answers come from. @default none
 */
export function pageRoutes({ notice }: { readonly notice?: string } = {}): ProtocolAdapter {
  // What is served is settled here: a path of a request never becomes a path on the disk.
  const files = readdirSync(folder).flatMap((name) => pageFile(name) ?? []);
  return {
    openPaths: files.map(({ path }) => path),
    ...(notice !== undefined && { health: { notice } }),
    mount: (app) => {
      for (const file of files) app.get(file.path, (c) => sent(c, file));
    },
  };
}

interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

function pageFile(name: string): PageFile | undefined {
  const type = types[extname(name)];
  if (type === undefined) return undefined;
  const content = new Uint8Array(readFileSync(new URL(name, folder)));
  const hash = createHash("sha256").update(content).digest("base64url");
  const path = name === "index.html" ? "/" : `/page/${name}`;
  return { path, type, content, etag: `"${hash}"` };
}

const folder = new URL("browser/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

function sent(c: Context, { type, content, etag }: PageFile): Response {
  const headers = { ...pageHeaders, etag };
  const known = c.req.header("if-none-match")?.split(",") ?? [];
  if (known.some((tag) => tag.trim().replace(/^W\//, "") === etag)) {
    return c.body(null, 304, headers);
  }
  return c.body(content, 200, { ...headers, "content-type": type });
}

/**
 * Scripts, styles and connections of this server alone, and no HTML out of strings: what a model or
 * a document says cannot become part of the page.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  // A new version of the server is seen at once; what has not changed is not sent again.
  "cache-control": "no-cache",
};
