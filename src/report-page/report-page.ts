import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { EspalierError } from "../errors/index.ts";
import type { RunComparison } from "../report/index.ts";
import { builtFile } from "./built-file.ts";

/**
 * Makes one self-contained page: it works from `file://` and requests nothing.
 *
 * The comparison is inert: compressed, in base64, in which no text of a run can become markup. The
 * policy admits this script and this style by their hashes, and forbids the script to turn any text
 * into markup.
 *
 * Throws `option-invalid` if the comparison is larger than a JavaScript text can be, about 500 MB
 * as JSON.
 */
export function reportPage(comparison: RunComparison): string {
  const [script, style] = [builtFile("page.js"), builtFile("page.css")];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Comparison of runs</title>
<style>${style}</style>
<body>
<div id="page"><noscript>This page needs JavaScript; it makes no requests.</noscript></div>
<script type="text/plain" id="comparison">${packed(comparison)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

function packed(comparison: RunComparison): string {
  let json: string;
  try {
    json = JSON.stringify(comparison);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EspalierError({
      code: "option-invalid",
      problem: "The comparison is too large for one page",
      expected: "at most about 500 MB as JSON",
      fix: "Compare fewer runs, or leave out replayed rollouts.",
      cause: error,
    });
  }
  return gzipSync(json).toString("base64");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
