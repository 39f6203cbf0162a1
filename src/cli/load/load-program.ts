import type { Artifact } from "../../artifact/index.ts";
import { embedderOf, loadArtifact, readArtifact } from "../../artifact/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { isStudy } from "../../study/index.ts";
import { artifactOf } from "./artifact-of.ts";
import { exportedPrograms } from "./exported-programs.ts";
import { importModule } from "./import-module.ts";
import type { Parts } from "../../servers/index.ts";
import { madeOf } from "./load-default.ts";
import { chooseStudy, variantOf } from "./choose-study.ts";
import { moduleOfArtifact } from "./module-of-artifact.ts";

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
 * Loads a study's program, or the program of an artifact, or of a run's, with the compiled
 * components applied.
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
  if (study === undefined) return { program: (await chooseStudy(subject, source)).program };
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

function noVariants(source: string, trainset: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: `"${source}" has no variants, since its default export is no study`,
    got: `--trainset ${trainset}`,
    fix: "Name the study's file with --study STUDY, or omit the option",
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
