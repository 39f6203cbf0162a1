import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles `src/rehearsal` and what it imports from the framework's lower folders into one file.
 * Fails if that file imports a package that the rehearsal package does not declare.
 */
export async function bundleRehearsal(root: string, outfile: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(root, "src/rehearsal/index.ts")],
    outfile,
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node22",
    metafile: true,
    logLevel: "warning",
    // What refuses an old Node.js is of no use in a bundle.
    logOverride: { "ignored-bare-import": "silent" },
  });
  const manifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "src/rehearsal/package.json"), "utf8"),
  );
  const undeclared = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => !path.startsWith("node:"))
    .filter((path) => manifest.dependencies[packageOf(path)] === undefined);
  if (undeclared.length > 0) {
    throw new Error(`@espalier/rehearsal does not declare ${undeclared.join(", ")}.`);
  }
}

/** `seedrandom` of `seedrandom/lib/xor4096.js`. */
function packageOf(path: string): string {
  return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
}
