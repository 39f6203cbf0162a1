import { builtFile } from "./built-file.ts";

/** A file of the studio's pages and where its server has it. */
export interface StudioFile {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/**
 * The studio's pages: one script shows them all, by the address. They ask their own server alone.
 *
 * @throws EspalierError `file-missing`
 */
export function studioFiles(): readonly StudioFile[] {
  const page = { type: "text/html; charset=utf-8", content: html };
  return [
    ...["/", "/report"].map((path) => ({ path, ...page })),
    {
      path: "/studio.js",
      type: "text/javascript; charset=utf-8",
      content: builtFile("studio.js"),
    },
    { path: "/page.css", type: "text/css; charset=utf-8", content: builtFile("page.css") },
  ];
}

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<title>Studio</title>
<body>
<div id="page"><noscript>This page needs JavaScript.</noscript></div>
<script type="module" src="/studio.js"></script>
</body>
</html>
`;
