import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { doorAt } from "../layers/package-doors.ts";

/**
 * Joins the declarations below `folder` into one file for each entry, and a few for what entries
 * share, so that each type still exists once. Deletes all other declarations.
 *
 * @param entries paths below `folder` by the name of their file, without `.d.ts`
 * @param doors modules that stay imports of a package, by their path below `folder`, without ending
 */
export async function bundleTypes(
  folder: string,
  entries: Readonly<Record<string, string>>,
  doors: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const root = resolve(folder);
  const build = await rollup({
    input: { ...entries },
    plugins: [
      {
        name: "packages-stay",
        resolveId: (path, importer) => {
          if (importer === undefined) return join(root, path);
          if (!path.startsWith(".")) return { id: path, external: true };
          const door = doorAt(resolve(dirname(importer), path), { doors, root });
          return door === undefined ? null : { id: door, external: true };
        },
      },
      dts({ tsconfig: resolve("tsconfig.build.json") }),
    ],
    onLog: (_, { code, message }) => {
      // Types of an option that no door names were private before, too.
      if (code !== "PLUGIN_WARNING") throw new Error(message);
    },
  });
  const { output } = await build.generate({
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: ({ name }) => `types/${name.replace(/[.]d$/, "")}.d.ts`,
  });
  await build.close();
  for (const file of globSync("**/*.d.ts", { cwd: root })) rmSync(join(root, file));
  for (const chunk of output) {
    const path = join(root, chunk.fileName);
    if (chunk.type !== "chunk") throw new Error(`${path} is not a module.`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, chunk.code);
  }
}
