import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { build } from "esbuild";

const sources = resolve(import.meta.dirname, "../../packages/pages/src");

/** Writes the pages of `packages/pages` into `tree`, which is like `src/`. */
export async function bundlePages(tree: string): Promise<void> {
  await bundleReport(join(tree, "report-page/built"));
  copyChat(join(tree, "serve/routes/page/browser"));
}

/** Browsers load these files unchanged. */
function copyChat(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const file of globSync(join(sources, "chat/*.{html,css,js,svg}"))) {
    cpSync(file, join(folder, basename(file)));
  }
}

/**
 * Bundles the pages of reports and of the studio into `folder`: a script for each and one style,
 * with the licences of the packages that are in a script. Fails for what would end the element that
 * holds the script, and for what a page without a server could not load.
 */
async function bundleReport(folder: string): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: ["page.ts", "page.css", "studio.ts"].map((name) => join(sources, "report", name)),
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2024", "chrome123", "firefox128", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["espalier:source"],
    // The door of `internal` names modules for Node.js; what the page uses of it needs none.
    external: ["node:*"],
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
    // What refuses an old Node.js is of no use in a bundle.
    logOverride: { "ignored-bare-import": "silent" },
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) {
    const isScript = path.endsWith(".js");
    const whole = isScript ? licencesOf(metafile) + text : text;
    if (/<\/(?:script|style)|<!--/i.test(whole)) throw new Error(`${path} closes its own tag.`);
    if (isScript && /\bimport\b\s*["'({*]|\bfrom\s*"node:/.test(text)) {
      throw new Error(`${path} imports something that no bundle holds.`);
    }
    writeFileSync(path, whole);
  }
}

/** The licences of the packages of which something is left in the bundle. */
function licencesOf({ outputs }: Metafile): string {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const packages = new Set(
    inputs.flatMap(([input, { bytesInOutput }]) =>
      bytesInOutput === 0 ? [] : (/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
    ),
  );
  return [...packages]
    .toSorted()
    .map((folder) => {
      const [licence] = globSync(join(folder, "LICEN[CS]E*"));
      if (licence === undefined) throw new Error(`${folder} has no licence file.`);
      const { name, version }: { name: string; version: string } = JSON.parse(
        readFileSync(join(dirname(licence), "package.json"), "utf8"),
      );
      const text = readFileSync(licence, "utf8").trim();
      if (text.includes("*/")) throw new Error(`${licence} would end its comment.`);
      return `/*! ${name} ${version}\n${text}\n*/\n`;
    })
    .join("");
}
