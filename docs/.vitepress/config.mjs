/**
 * The site of the documentation. `npm run docs` fills `source/` from README, docs/ and programs/.
 */
import { defineConfig } from "vitepress";
import { slugOf } from "../../scripts/docs/markdown.ts";

const guide = {
  "getting-started": "Getting started",
  extractor: "Start: an extractor",
  rag: "Start: answers from passages",
  "text-to-sql": "Start: text to SQL",
  signatures: "Signatures",
  programs: "Programs",
  images: "Images",
  agents: "Tools and agents",
  metrics: "Metrics",
  trainsets: "Trainsets",
  optimizing: "Optimizing",
  experiments: "Reproducing the papers",
  artifacts: "Artifacts",
  serving: "Serving",
  retrieval: "Retrieval",
  "model-servers": "Model servers",
  "small-models": "Small models",
  workers: "Beyond one machine",
  tracking: "Tracking in MLflow",
  troubleshooting: "Troubleshooting",
};
const symptoms = {
  "no-gain": "No gain",
  "format-failures": "Format failures",
  slow: "Slow",
  "too-expensive": "Too expensive",
};
const decisions = {
  README: "All decisions",
  "own-predictors": "Own predictors beside ax",
  "one-json-call": "One JSON call",
  "journal-before-use": "Journal before use",
  "score-reuse": "Score reuse",
  "own-json-schema": "Own JSON schema",
  "openai-sdk": "The openai SDK",
  semaphore: "A semaphore beside p-queue",
  "sqlite-fts5": "SQLite FTS5",
  "embedder-of-a-program": "The embedder of a program",
  "bm25-in-postgresql": "BM25 in PostgreSQL",
  "default-optimizer": "The default optimizer",
};
/** Three shoots on a wire: trees trained flat are espaliers. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0a6470" stroke-width="1.6"><path d="M8 15V2M8 11H3V5M8 11h5V5M1 8h14"/></svg>`;

/** @param {string} folder @param {Readonly<Record<string, string>>} pages */
const under = (folder, pages) =>
  Object.entries(pages).map(([page, text]) => ({ text, link: `/${folder}/${page}` }));

export default defineConfig({
  title: "espalier",
  description: "Declare language-model programs; let an optimizer evolve them.",
  lang: "en",
  // In the page itself, so that it needs no address of the site's own.
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: ".vitepress/source",
  outDir: ".vitepress/dist",
  cacheDir: ".vitepress/cache",
  // As on GitHub, so that one link works in both places.
  markdown: { anchor: { slugify: slugOf } },
  // A reference of a door is one page, and large. Browsers of 2022 and newer.
  vite: { build: { chunkSizeWarningLimit: 4_000, target: "es2022" } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guide", link: "/guide/getting-started" },
      { text: "Commands", link: "/reference/cli" },
      { text: "API", link: "/reference/api/index" },
      { text: "Benchmarks", link: "/benchmarks" },
    ],
    sidebar: [
      { text: "Guide", items: under("guide", guide) },
      { text: "Symptoms", items: under("symptoms", symptoms) },
      {
        text: "In depth",
        items: [
          { text: "GEPA in espalier", link: "/gepa" },
          { text: "Real models, real tasks", link: "/real-models" },
          { text: "Prompts", link: "/prompts" },
          { text: "The rehearsal LM", link: "/rehearsal" },
          { text: "Its package", link: "/rehearsal-package" },
          { text: "Local models' package", link: "/local-package" },
          { text: "PostgreSQL's package", link: "/postgres-package" },
          { text: "LanceDB's package", link: "/lance-package" },
          { text: "MCP servers' package", link: "/mcp-package" },
          { text: "Judges' package", link: "/judge-package" },
          { text: "Search engines", link: "/search-engines-package" },
          { text: "Tracking's package", link: "/tracking-package" },
          { text: "Workers' package", link: "/workers-package" },
          { text: "The AI SDK's package", link: "/ai-sdk-package" },
          { text: "Published systems", link: "/programs" },
          { text: "Differences from the papers", link: "/papers" },
          { text: "From DSPy", link: "/from-dspy" },
          { text: "From ax", link: "/from-ax" },
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "Commands", link: "/reference/cli" },
          { text: "Packages and entry points", link: "/reference/packages" },
          { text: "API", link: "/reference/api/index" },
          { text: "Error codes", link: "/errors" },
          { text: "Benchmarks", link: "/benchmarks" },
        ],
      },
      { text: "Decisions", collapsed: true, items: under("decisions", decisions) },
      {
        text: "Working on espalier",
        collapsed: true,
        items: [
          { text: "Contributing", link: "/CONTRIBUTING" },
          { text: "House rules", link: "/AGENTS" },
          { text: "The pages' package", link: "/pages-package" },
          { text: "Changelog", link: "/CHANGELOG" },
        ],
      },
    ],
  },
});
