import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { isNoSuchFile, isObject, jsonOrUndefined } from "../../internal/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";

export interface WrittenProject {
  /** Paths in the project, in the order of their names. */
  readonly written: readonly string[];
  /** Files that were there already, and were not touched. */
  readonly standing: readonly string[];
  /** What was changed in a package.json that was there already. */
  readonly changes: readonly string[];
  /** Packages that package.json asks for now, and did not before. */
  readonly added: readonly string[];
}

/**
 * Writes a project. A file that exists is left alone; only a package.json gets what it lacks.
 *
 * @throws EspalierError `file-malformed` for a package.json that cannot be read, before anything is
 * written; `write-failed`
 */
export async function writeProject({
  folder,
  template,
  name,
  versions,
}: {
  readonly folder: string;
  readonly template: string;
  readonly name: string;
  readonly versions: ProjectVersions;
}): Promise<WrittenProject> {
  const manifestPath = join(folder, "package.json");
  const found = await readIfThere(manifestPath);
  const { text, changes, added } = projectManifest(found, { name, versions, path: manifestPath });
  const written: string[] = [];
  const standing: string[] = [];
  for (const [path, content] of Object.entries(await filesOf(template))) {
    const isWritten = await writeUnlessThere(join(folder, path), content);
    (isWritten ? written : standing).push(path);
  }
  if (found === undefined) written.push("package.json");
  if (found === undefined || changes.length > 0) {
    await writeFileAtomic(manifestPath, text, { isShared: true });
  }
  return { written: written.toSorted(), standing: standing.toSorted(), changes, added };
}

async function filesOf(template: string): Promise<Readonly<Record<string, string>>> {
  // In the tree as in the package, where the build puts them.
  const source = join(import.meta.dirname, "../../../templates", template);
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(
    async (file) =>
      [file.slice(source.length + 1).replaceAll("\\", "/"), await readFile(file, "utf8")] as const,
  );
  return { ...commonFiles, ...Object.fromEntries(await Promise.all(read)) };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isNoSuchFile(error)) return undefined;
    throw writeRefused(path, error);
  }
}

async function writeUnlessThere(path: string, content: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw writeRefused(path, error);
  }
}

function writeRefused(path: string, cause: unknown): EspalierError {
  return new EspalierError({
    code: "write-failed",
    problem: "The project cannot be written",
    expected: "a writable folder that exists or can be created",
    got: messageOf(cause),
    where: path,
    cause,
  });
}

/** Files that every project gets, whatever it starts from, besides package.json. */
const commonFiles: Readonly<Record<string, string>> = {
  ".gitignore": ["node_modules/", ".espalier/", ""].join("\n"),
  "tsconfig.json": `${JSON.stringify(
    {
      compilerOptions: {
        target: "es2024",
        module: "nodenext",
        types: ["node"],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        // Node.js runs these files by removing their types, without a build.
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
      },
      include: ["**/*.ts"],
    },
    null,
    2,
  )}\n`,
};

/** A project's package.json, and what was changed in the one that stood. */
interface ProjectManifest {
  readonly text: string;
  /** One phrase for each change; empty where it has all that is needed, or is new. */
  readonly changes: readonly string[];
  /** Packages that it asks for now, and did not before. */
  readonly added: readonly string[];
}

/** The versions that a new project asks for. */
interface ProjectVersions {
  readonly espalier: string;
  readonly zod: string;
}

const scripts = {
  eval: "espalier eval study.ts",
  optimize: "espalier optimize study.ts",
  check: "tsc --noEmit",
  test: "node --test",
};

/** The engine of local models. npm would add its builds for CUDA and Vulkan, 650 MB. */
const engine = { "node-llama-cpp": "3.21.1" };
const overrides = {
  "node-llama-cpp": Object.fromEntries(
    ["linux-x64", "win-x64"].flatMap((platform) =>
      ["cuda", "cuda-ext", "vulkan"].map((build) => [
        `@node-llama-cpp/${platform}-${build}`,
        "npm:empty-npm-package@1.0.0",
      ]),
    ),
  ),
};

/** What `npm init -y` writes in place of a test. */
const noTest = 'echo "Error: no test specified" && exit 1';

/**
 * Makes a package.json, or adds to the one that stands what it lacks. Nothing in it is replaced but
 * `"type": "commonjs"` and the placeholder that `npm init` writes for a test.
 *
 * @param standing the text of the package.json that stands
 * @throws EspalierError `file-malformed` if it is no JSON object
 */
function projectManifest(
  standing: string | undefined,
  { name, versions, path }: { name: string; versions: ProjectVersions; path: string },
): ProjectManifest {
  const dependencies = { espalier: `^${versions.espalier}`, zod: versions.zod };
  const devDependencies = {
    "@espalier/local": `^${versions.espalier}`,
    "@espalier/rehearsal": `^${versions.espalier}`,
    "@types/node": "^24.0.0",
    ...engine,
    typescript: ">=5.9.0",
  };
  if (standing === undefined) {
    const made = {
      name,
      private: true,
      type: "module",
      engines: { node: ">=22.18" },
      scripts,
      dependencies,
      devDependencies,
      overrides,
    };
    return {
      text: asText(made),
      changes: [],
      added: Object.keys({ ...dependencies, ...devDependencies }),
    };
  }
  const found = jsonOrUndefined(standing);
  if (!isObject(found)) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "package.json cannot be read",
      expected: "a JSON object",
      where: path,
      fix: "Correct it, or name another folder.",
    });
  }
  const changes: string[] = [];
  const merged: Record<string, unknown> = { ...found };
  if (merged["type"] !== "module") {
    const before = merged["type"] === undefined ? "" : ` (was ${JSON.stringify(merged["type"])})`;
    changes.push(`set "type" to "module"${before}: .js files are now read as ES modules`);
    merged["type"] = "module";
  }
  const held = { ...objectAt(found, "dependencies"), ...objectAt(found, "devDependencies") };
  const add = (key: string, wanted: Readonly<Record<string, unknown>>, taken: object): void => {
    const missing = Object.entries(wanted).filter(([entry]) => !Object.hasOwn(taken, entry));
    if (missing.length === 0) return;
    merged[key] = { ...objectAt(found, key), ...Object.fromEntries(missing) };
    changes.push(`added to ${key}: ${missing.map(([entry]) => entry).join(", ")}`);
  };
  const { test, ...otherScripts } = objectAt(found, "scripts");
  add("scripts", scripts, test === noTest ? otherScripts : objectAt(found, "scripts"));
  add("dependencies", dependencies, held);
  add("devDependencies", devDependencies, held);
  add("overrides", overrides, objectAt(found, "overrides"));
  const wanted = Object.keys({ ...dependencies, ...devDependencies });
  return {
    text: changes.length === 0 ? standing : asText(merged),
    changes,
    added: wanted.filter((entry) => !Object.hasOwn(held, entry)),
  };
}

function objectAt(found: object, key: string): Readonly<Record<string, unknown>> {
  const value = (found as Readonly<Record<string, unknown>>)[key];
  return isObject(value) ? value : {};
}

function asText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
