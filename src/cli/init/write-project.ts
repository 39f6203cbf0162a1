import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { isNoSuchFile } from "../../internal/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { commonFiles } from "./common-files.ts";
import type { ProjectVersions } from "./project-manifest.ts";
import { projectManifest } from "./project-manifest.ts";

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
    expected: "a folder that is there or can be made, and may be written",
    got: messageOf(cause),
    where: path,
    cause,
  });
}
