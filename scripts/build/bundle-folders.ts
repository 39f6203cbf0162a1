import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { build } from "esbuild";

/** Folders of `src/` whose modules a search of texts loads. */
const bundled: readonly string[] = [
  "errors",
  "internal",
  "statistics",
  "storage",
  "contract",
  "ledger",
  "stand-in",
  "optimizer",
];

/**
 * Joins the compiled modules of these folders into a few files: Node.js takes about a millisecond
 * to load a module, and a search of texts loads 240. The folders' doors stay where they are, and
 * what two doors share goes to a file of its own, so that every module still exists once; types
 * stay as they are. Fails for a module that asks where its own file is.
 */
export async function bundleFolders(source: string): Promise<void> {
  const doors = bundled.flatMap((folder) =>
    ["index.js", "files.js"].map((file) => join(source, folder, file)).filter(existsSync),
  );
  const { outputFiles } = await build({
    entryPoints: doors,
    outdir: source,
    outbase: source,
    chunkNames: "bundled/[name]-[hash]",
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    plugins: [otherFoldersStay(source)],
    logLevel: "warning",
  });
  for (const folder of bundled) {
    for (const file of globSync(join(source, folder, "**/*.js"))) rmSync(file);
  }
  for (const { path, text } of outputFiles) {
    if (text.includes("import.meta")) throw new Error(`${path} asks for a place that has changed.`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Every file that is written lies one folder below `source`, so one relative path fits all. */
function otherFoldersStay(source: string): Plugin {
  const root = resolve(source);
  const inside = bundled.map((folder) => join(root, folder, "/"));
  return {
    name: "other-folders-stay",
    setup: (bundler) => {
      bundler.onResolve({ filter: /^[.]/ }, ({ kind, path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        if (kind === "entry-point" || inside.some((folder) => file.startsWith(folder))) return null;
        return { path: `../${relative(root, file)}`, external: true };
      });
    },
  };
}
