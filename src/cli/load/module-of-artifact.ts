import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EspalierError } from "../../errors/index.ts";

/**
 * Resolves the module that an artifact names to a package specifier or a file path. Importing runs
 * the module, so unless the user trusts it, it must belong to espalier or to the artifact's
 * project: below the nearest folder with a `package.json`, or else below the artifact's own folder,
 * and outside `node_modules`. Symbolic links are resolved first.
 *
 * @param options.isTrusted whether any package and any file are allowed
 * @throws EspalierError `module-untrusted`. A missing module fails later, in the import.
 */
export async function moduleOfArtifact(
  artifact: string,
  module: string,
  { isTrusted }: { readonly isTrusted: boolean },
): Promise<string> {
  if (!module.startsWith(".")) {
    if (isTrusted || module.split("/")[0] === "espalier") return module;
    throw untrusted(artifact, module, "a package", "a file in its project, or `espalier/...`");
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
    "a module outside its project",
    `a module below ${project} and outside node_modules`,
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
    problem: `The artifact names ${what}, and loading it would run it`,
    where: artifact,
    expected,
    got: module,
    fix: "Name the program's file with --study STUDY, or add --trust-module if you trust the artifact's author",
  });
}

function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** Packages in a project's `node_modules` are not its own code. */
function isOwnFile(project: string, path: string): boolean {
  const way = relative(project, path);
  const parts = way.split(sep);
  return parts[0] !== ".." && !isAbsolute(way) && !parts.includes("node_modules");
}
