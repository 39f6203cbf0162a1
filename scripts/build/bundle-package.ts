import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { doorAt, packageDoors } from "../layers/package-doors.ts";

/**
 * Bundles the package in `folder`, with what it imports from folders of `src/` that have no door,
 * into one file. Fails if that file imports a package that the package does not declare.
 */
export async function bundlePackage(root: string, folder: string, outfile: string): Promise<void> {
  const doors = packageDoors(root);
  const { metafile } = await build({
    entryPoints: [join(root, folder, "src/index.ts")],
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
    plugins: [
      {
        name: "doors-stay",
        setup: (build) =>
          build.onResolve({ filter: /^[.]/ }, ({ path, resolveDir }) => {
            const door = doorAt(resolve(resolveDir, path), { doors, root });
            return door === undefined ? undefined : { path: door, external: true };
          }),
      },
    ],
  });
  const {
    name,
    dependencies,
    peerDependencies = {},
  }: Manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const declared = { ...dependencies, ...peerDependencies };
  const undeclared = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => !path.startsWith("node:"))
    .filter((path) => declared[packageOf(path)] === undefined);
  if (undeclared.length > 0) throw new Error(`${name} does not declare ${undeclared.join(", ")}.`);
}

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** `seedrandom` of `seedrandom/lib/xor4096.js`. */
function packageOf(path: string): string {
  return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
}
