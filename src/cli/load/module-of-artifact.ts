import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EspalierError } from "../../errors/index.ts";

/**
 * What to import for the module that an artifact names: a package's specifier, or the path of a file. An import
 * runs the module, so without the reader's word it must be espalier's own, or a file of the artifact's project:
 * below the nearest folder with a `package.json`, or below the artifact's own folder, and in no `node_modules`.
 * Links are followed first.
 *
 * @param options.isTrusted whether it may be any package and any file
 * @throws EspalierError `module-untrusted`; a module that does not exist is left to the import
 */
export async function moduleOfArtifact(
  artifact: string,
  module: string,
  { isTrusted }: { readonly isTrusted: boolean },
): Promise<string> {
  if (!module.startsWith(".")) {
    if (isTrusted || module.split("/")[0] === "espalier") return module;
    throw untrusted(artifact, module, "a package", "a file of its project, or `espalier/...`");
  }
  const file = resolve(dirname(artifact), module);
  const shown = relative(".", file);
  if (isTrusted) return shown;
  const project = projectOf(dirname(await realpath(artifact)));
  const real = await realpath(file).catch(() => file);
  if (isOwnFile(project, real)) return shown;
  throw untrusted(
    artifact,
    module,
    "a module outside of its project",
    `a module below ${project}, and in no node_modules`,
  );
}

function untrusted(
  artifact: string,
  module: string,
  what: string,
  expected: string,
): EspalierError {
  return new EspalierError({
    code: "module-untrusted",
    problem: `The artifact names ${what}, and to load it would run it`,
    where: artifact,
    expected,
    got: module,
    fix: "Say where the program is with --study STUDY, or give --trust-module if you trust who wrote the artifact",
  });
}

function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** The packages below a project are not its own code. */
function isOwnFile(project: string, path: string): boolean {
  const way = relative(project, path);
  const parts = way.split(sep);
  return parts[0] !== ".." && !isAbsolute(way) && !parts.includes("node_modules");
}
