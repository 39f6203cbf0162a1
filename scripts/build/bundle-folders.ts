import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { transform } from "esbuild";
import type { ModuleInfo, Plugin } from "rollup";
import { rollup } from "rollup";

/**
 * The files that a search of texts loads, in the order in which they may import each other: each
 * holds what the doors of some folders load and no earlier file holds. A process that asks for less
 * than a search loads only the first ones.
 */
const files: readonly { readonly name: string; readonly doors: readonly string[] }[] = [
  { name: "framework", doors: doorsOf("errors", "internal", "contract") },
  {
    name: "records",
    doors: [
      ...doorsOf("statistics", "storage", "ledger", "mock"),
      "lm/files.js",
      "evaluate/files.js",
    ],
  },
  { name: "run-files", doors: ["optimizer/files.js"] },
  { name: "search", doors: doorsOf("optimizer") },
];

/** Folders that are bundled whole; of the others, only what the doors above load. */
const bundled = new Set(
  files.flatMap(({ doors }) => doors.filter((door) => door.endsWith("/index.js")).map(dirname)),
);

function doorsOf(...folders: readonly string[]): readonly string[] {
  return folders.map((folder) => `${folder}/index.js`);
}

/**
 * Joins the compiled modules of these folders into a few files: a module costs Node.js about a
 * quarter of a millisecond of CPU, and a search of texts loads 250. What is imported only when it
 * is needed stays in files of its own. The doors stay where they are, every module still exists
 * once, and types stay as they are. Fails for a module that asks where its own file is.
 */
export async function bundleFolders(source: string): Promise<void> {
  const root = resolve(source);
  const doors = files.map((file) => file.doors.map((door) => join(root, door)));
  const outside = doors.flat().filter((door) => !isBundled(root, door));
  // These have importers of their own, which know their paths.
  const kept = [...reachedFrom(outside, root)];
  const entries = [...new Set([...doors.flat(), ...kept])];
  const build = await rollup({
    input: Object.fromEntries(entries.map((file) => [relative(root, file).slice(0, -3), file])),
    plugins: [otherModulesStay(root, new Set(kept)), withoutComments(), withBuiltins()],
    // The one module that does something when it is loaded.
    treeshake: { moduleSideEffects: (id) => id.endsWith("/errors/supported-node.js") },
    onLog: (_, { code, message }) => {
      // TypeScript's helpers for `using` ask for a global `this` first.
      if (code !== "THIS_IS_UNDEFINED") throw new Error(message);
    },
  });
  let fileOf: ReadonlyMap<string, string> | undefined;
  const { output } = await build.generate({
    dir: root,
    format: "es",
    entryFileNames: "[name].js",
    chunkFileNames: "bundled/[name].js",
    hoistTransitiveImports: false,
    minifyInternalExports: false,
    generatedCode: "es2015",
    manualChunks: (id, { getModuleInfo }) =>
      (fileOf ??= placesOf(doors, getModuleInfo)).get(id) ?? null,
  });
  await build.close();
  for (const folder of bundled) {
    for (const file of globSync(join(root, folder, "**/*.js"))) rmSync(file);
  }
  for (const chunk of output) {
    const path = join(root, chunk.fileName);
    if (chunk.type !== "chunk") throw new Error(`${path} is not a module.`);
    if (chunk.code.includes("import.meta")) {
      throw new Error(`${path} uses import.meta, which bundling changes.`);
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, chunk.code);
  }
}

function isBundled(root: string, file: string): boolean {
  return bundled.has(relative(root, file).split("/")[0] ?? "");
}

/** The modules outside of the bundled folders that these load, themselves included. */
function reachedFrom(modules: readonly string[], root: string): ReadonlySet<string> {
  const reached = new Set(modules);
  for (const file of reached) {
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/ from "([.][^"]+)"/g)) {
      const imported = resolve(dirname(file), path);
      if (!isBundled(root, imported)) reached.add(imported);
    }
  }
  return reached;
}

/** Which file each module goes to; none for what is imported only when it is needed. */
function placesOf(
  doors: readonly (readonly string[])[],
  infoOf: (id: string) => ModuleInfo | null,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [index, { name }] of files.entries()) {
    const waiting = [...(doors[index] ?? [])];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const info = infoOf(id);
      if (places.has(id) || info === null || info.isExternal) continue;
      places.set(id, name);
      waiting.push(...info.importedIds);
    }
  }
  return places;
}

function otherModulesStay(root: string, kept: ReadonlySet<string>): Plugin {
  return {
    name: "other-modules-stay",
    resolveId: (path, importer) => {
      if (importer === undefined) return null;
      if (!path.startsWith(".")) return { id: path, external: true };
      const file = resolve(dirname(importer), path);
      if (isBundled(root, file) || kept.has(file)) {
        if (!existsSync(file)) throw new Error(`${importer} imports ${path}, which is missing.`);
        return file;
      }
      return { id: file, external: "relative" };
    },
  };
}

/**
 * They are a quarter of the text, which Node.js would read every time. Other characters than those
 * of ASCII, of which regular expressions have some, would make it keep two bytes of each character.
 */
function withoutComments(): Plugin {
  return {
    name: "without-comments",
    renderChunk: async (code) => {
      const { code: short } = await transform(code, { format: "esm", target: "node22" });
      if (/String\.raw`[^`]*[^\0-\x7f]/.test(short)) throw new Error("A raw string is not ASCII.");
      const ascii = short.replaceAll(
        /[^\0-\x7f]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      return { code: ascii, map: null };
    },
  };
}

/**
 * Takes modules of Node.js from `process`: an import reads all their properties, and with those of
 * `node:fs` it loads streams that a search does not use. All but the first file, which refuses a
 * Node.js that is too old to give them.
 */
function withBuiltins(): Plugin {
  return {
    name: "with-builtins",
    renderChunk: (code, { fileName }) => {
      if (!fileName.startsWith("bundled/") || fileName === "bundled/framework.js") return null;
      const direct = code.replaceAll(
        /^import \{([^}]*)\} from ("node:[a-z/_]+");$/gm,
        (_, names: string, name: string) =>
          `const {${names.replaceAll(" as ", ": ")}} = process.getBuiltinModule(${name});`,
      );
      return { code: direct, map: null };
    },
  };
}
