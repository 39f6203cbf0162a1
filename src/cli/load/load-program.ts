import type { Artifact } from "../../artifact/index.ts";
import { loadArtifact, readArtifact } from "../../artifact/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { exportedPrograms } from "./exported-programs.ts";
import { importModule } from "./import-module.ts";
import { loadStudy } from "./load-study.ts";
import { moduleOfArtifact } from "./module-of-artifact.ts";

/** Where the program of an artifact is found. */
export interface ProgramSource {
  /** In place of what the artifact says. */
  readonly study?: string | undefined;
  /** Whether what the artifact says is followed out of its project, and to packages. */
  readonly "trust-module": boolean;
}

/** A program, and the artifact that it was loaded from. */
export interface LoadedProgram {
  readonly program: TunableProgram;
  readonly artifact?: Artifact;
}

/**
 * The program of a study, or that of an artifact with what was compiled into it.
 *
 * @throws EspalierError `artifact-invalid`, `artifact-drifted`, `module-untrusted`, `study-invalid`,
 *   `file-missing`
 */
export async function loadProgram(subject: string, source: ProgramSource): Promise<LoadedProgram> {
  const { study } = source;
  if (subject.endsWith(".json")) {
    const artifact = await readArtifact(subject);
    const program = loadArtifact(artifact, await declaredProgram(artifact, subject, source));
    return { program, artifact };
  }
  if (study === undefined) return { program: (await loadStudy(subject)).program };
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--study goes with an artifact",
    got: `"${subject}", which is no .json file`,
  });
}

async function declaredProgram(
  { compiled }: Artifact,
  path: string,
  given: ProgramSource,
): Promise<TunableProgram> {
  const { name, module } = compiled.program;
  const [source, exported] = await exportsOf(module, path, given);
  const programs = exportedPrograms(exported);
  // If none has the name, loading says so better than "not found" would.
  const found = programs.find((program) => program.name === name) ?? programs[0];
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "study-invalid",
    problem: `"${source}" exports no program`,
    where: path,
    expected: `a study as default export, or the program "${name}" under any name`,
    got: Object.keys(exported).join(", ") || "no exports",
    fix: "Say where it is with --study STUDY",
  });
}

/** What is imported, as a person would write it, and its exports. */
async function exportsOf(
  module: string | undefined,
  path: string,
  { study, "trust-module": isTrusted }: ProgramSource,
): Promise<readonly [string, Record<string, unknown>]> {
  if (study !== undefined) return [study, await importModule(study)];
  if (module === undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "The artifact does not say where its program is",
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
      problem: `The artifact's program cannot be loaded from "${module}"`,
      where: path,
      got: messageOf(error),
      fix: "If it is elsewhere, say where with --study STUDY",
      cause: error,
    });
  }
}
