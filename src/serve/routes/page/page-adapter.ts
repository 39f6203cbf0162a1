import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { Context } from "hono";
import { EspalierError } from "../../../errors/index.ts";
import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";

/**
 * A page at `/` where a person asks, watches, compares and rates. It contains nothing of the
 * server: the browser uses the same routes as every client, with the key that the person enters.
 *
 * @param notice a sentence at its head, for example the source of the answers. @default none
 * @throws EspalierError `file-missing`
 */
export function pageAdapter({ notice }: { readonly notice?: string } = {}): ProtocolAdapter {
  // The set of served files is fixed here: a request's path never becomes a path on the disk.
  const files = namesOfFiles().flatMap((name) => pageFile(name) ?? []);
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

/** From `packages/pages`: `npm run bundle:pages` fills it, as do the tests and the build. */
const folder = new URL("browser/", import.meta.url);

function namesOfFiles(): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: "The server's web page is missing from this installation",
      got: folder.pathname,
      fix: "In a checkout, run `npm run bundle:pages`; elsewhere, install espalier again.",
      cause: error,
    });
  }
}

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
 * Scripts, styles and connections of this server alone, and no HTML from strings: the text of a
 * model or a document cannot become part of the page.
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
  // Browsers see a new version of the server at once; unchanged files are not sent again.
  "cache-control": "no-cache",
};
