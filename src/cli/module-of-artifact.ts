import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EspalierError } from "../errors/index.ts";

/**
 * The file of the module that an artifact names by a relative path. To import it is to run it, so it must be
 * below the artifact's project: the nearest folder with a `package.json`, or the artifact's own folder.
 * Links are followed first.
 *
 * @param options.isTrusted whether it may be anywhere
 * @throws EspalierError `artifact-untrusted`; a file that does not exist is left to who imports it
 */
export async function moduleOfArtifact(
  artifact: string,
  module: string,
  { isTrusted }: { readonly isTrusted: boolean },
): Promise<string> {
  const file = resolve(dirname(artifact), module);
  const shown = relative(".", file);
  if (isTrusted) return shown;
  const project = projectOf(dirname(await realpath(artifact)));
  const real = await realpath(file).catch(() => file);
  if (isBelow(project, real)) return shown;
  throw new EspalierError({
    code: "module-untrusted",
    problem: "The artifact names a module outside of its project, and to load it would run it",
    where: artifact,
    expected: `a module below ${project}`,
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

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
