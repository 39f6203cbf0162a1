import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/**
 * Joins the declarations below `folder` into one file for each entry, a path or a pattern, and a
 * few for what entries share, so that each type still exists once. Deletes all other declarations.
 */
export async function bundleTypes(folder: string, entries: readonly string[]): Promise<void> {
  const root = resolve(folder);
  const files = globSync([...entries], { cwd: root });
  if (files.length === 0)
    throw new Error(`${folder} has no declarations of ${entries.join(", ")}.`);
  const build = await rollup({
    input: Object.fromEntries(files.map((file) => [file.slice(0, -".d.ts".length), file])),
    plugins: [
      {
        name: "packages-stay",
        resolveId: (path, importer) => {
          if (importer === undefined) return join(root, path);
          return path.startsWith(".") ? null : { id: path, external: true };
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
    if (chunk.type !== "chunk") throw new Error(`${path} is no module.`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, chunk.code);
  }
}
