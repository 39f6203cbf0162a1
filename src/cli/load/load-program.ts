import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Artifact } from "../../artifact/index.ts";
import { embedderOf, loadArtifact, readArtifact } from "../../artifact/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { isStudy } from "../../study/index.ts";
import { artifactOf } from "./file-format.ts";
import { importModule } from "./import-module.ts";
import type { Parts } from "../../servers/index.ts";
import { exportedPrograms, madeOf } from "./load-default.ts";
import { chooseDeclared, noVariants, variantOf } from "./choose-study.ts";

/** Where to find the program of an artifact. */
export interface ProgramSource {
  /** Overrides the module that the artifact names. */
  readonly study?: string | undefined;
  /** The study's variant whose program to take, also for an artifact. */
  readonly trainset?: string | undefined;
  /** Whether the artifact may name a module outside its project, or a package. */
  readonly "trust-module": boolean;
  /** For files that default-export a function of them. */
  readonly parts: Parts;
}

/** A program, with its artifact if it was loaded from one. */
export interface LoadedProgram {
  readonly program: TunableProgram;
  readonly artifact?: Artifact;
}

/**
 * Loads a program, a study's program, or the program of an artifact, or of a run's, with the
 * compiled components applied.
 *
 * @throws EspalierError `artifact-invalid`, `artifact-drifted`, `module-untrusted`,
 *   `study-invalid`, `file-missing`, `part-missing`
 */
export async function loadProgram(given: string, source: ProgramSource): Promise<LoadedProgram> {
  const { study } = source;
  const subject = artifactOf(given);
  if (subject.endsWith(".json")) {
    const artifact = await readArtifact(subject);
    const declared = await declaredProgram(artifact, subject, source);
    const needsEmbedder = embedderOf(artifact) !== null && declared.embedder === null;
    const asking = needsEmbedder ? declared.withEmbedder(source.parts.embedder()) : declared;
    return { program: loadArtifact(artifact, asking), artifact };
  }
  if (study === undefined) return { program: (await chooseDeclared(subject, source)).program };
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--study requires an artifact",
    got: `"${subject}", which is not a .json file`,
  });
}

async function declaredProgram(
  { compiled }: Artifact,
  path: string,
  given: ProgramSource,
): Promise<TunableProgram> {
  const { name, module } = compiled.program;
  const [source, exported] = await exportsOf(module, path, given);
  const made = await madeOf(exported["default"], given.parts);
  const chosen = isStudy(made) ? await variantOf(made, given.trainset) : made;
  if (given.trainset !== undefined && !isStudy(made)) throw noVariants(source, given.trainset);
  const programs = exportedPrograms({ ...exported, default: chosen });
  // If no program has the name, loading reports the mismatch better than "not found" would.
  const found = programs.find((program) => program.name === name) ?? programs[0];
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "study-invalid",
    problem: `"${source}" exports no program`,
    where: path,
    expected: `a study as default export, or the program "${name}" under any name`,
    got: Object.keys(exported).join(", ") || "no exports",
    fix: "Name its file with --study STUDY",
  });
}

/** The module's path or specifier, for messages, and its exports. */
async function exportsOf(
  module: string | undefined,
  path: string,
  { study, "trust-module": isTrusted }: ProgramSource,
): Promise<readonly [string, Record<string, unknown>]> {
  if (study !== undefined) return [study, await importModule(study)];
  if (module === undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "The artifact does not name its program's module",
      where: path,
      expected: "--study STUDY",
    });
  }
  try {
    const found = await moduleOfArtifact(path, module, { isTrusted });
    return [found, module.startsWith(".") ? await importModule(found) : await import(found)];
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === "module-untrusted") throw error;
    throw new EspalierError({
      code: EspalierError.isInstance(error) ? error.code : "study-invalid",
      problem: `Cannot load the artifact's program from "${module}"`,
      where: path,
      got: messageOf(error),
      fix: "If it has moved, name its file with --study STUDY",
      cause: error,
    });
  }
}

/**
 * Resolves the module that an artifact names to a package specifier or a file path. Importing runs
 * the module, so unless the user trusts it, it must belong to espalier or to the artifact's
 * project: below the nearest folder with a `package.json`, or else below the artifact's own folder,
 * and outside `node_modules`. Symbolic links are resolved first.
 *
 * @param options.isTrusted whether any package and any file are allowed
 * @throws EspalierError `module-untrusted`. A missing module fails later, in the import.
 */
async function moduleOfArtifact(
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
    `a module under ${project} and outside node_modules`,
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
    problem: `The artifact refers to ${what}, which would run on loading`,
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
