import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundleAx } from "./build/bundle-ax.ts";
import { bundleFolders } from "./build/bundle-folders.ts";
import { bundlePages } from "./build/bundle-pages.ts";
import { bundleTypes } from "./build/bundle-types.ts";
import { checkImports } from "./build/check-imports.ts";
import { scriptOptions } from "./support/script-options.ts";

const {
  positionals: [folder = "dist"],
} = scriptOptions({
  command: "npm run build",
  about: "Empties FOLDER (default dist) and compiles the package into it.",
  positionals: "[FOLDER]",
});
const compiler = "node_modules/typescript/bin/tsc";

// Files deleted from the sources must not ship from an earlier build.
rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", folder], {
  stdio: "inherit",
});
checkImports(folder);
await bundleAx(join(folder, "src/ax"));
await bundleFolders(join(folder, "src"));
await bundlePages(resolve(folder, "src"));
await bundleTypes(folder, exportedTypes());
// Loaders look for their data beside them; commands take candidates and servers files by path;
// `espalier init` copies templates as they are.
for (const file of globSync([
  "trainsets/**/*.jsonl",
  "optimizers/{candidates,servers}/**/*.json",
  "templates/**/*.*",
])) {
  cpSync(file, join(folder, file));
}

/** What `exports` of package.json names as types, below the output folder. */
function exportedTypes(): Readonly<Record<string, string>> {
  const { exports }: { exports: Record<string, string | { readonly types?: string }> } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const patterns = Object.values(exports)
    .map((door) => (typeof door === "string" ? door : (door.types ?? "")))
    .filter((types) => types.startsWith("./dist/"))
    .map((types) => types.slice("./dist/".length));
  const files = globSync(patterns, { cwd: folder });
  if (files.length === 0)
    throw new Error(`${folder} has no declarations of ${patterns.join(", ")}.`);
  return Object.fromEntries(files.map((file) => [file.slice(0, -".d.ts".length), file]));
}
