import type { PromptLayout } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { promptLayout, promptLayouts } from "../../program/index.ts";
import type { Artifact } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed, driftSentences } from "./drift.ts";
import { checkEmbedders, embedderDrift } from "./embedder-drift.ts";
import { parameterDrift } from "./parameter-drift.ts";
import { predictorDrift } from "./predictor-drift.ts";
import { promptDrift } from "./prompt-drift.ts";

/** The parts of a program that are compared with an artifact: declarations and rendering. */
export type ProgramDeclaration = Pick<
  TunableProgram,
  "name" | "version" | "predictors" | "parameters" | "with" | "withPromptLayout" | "render"
>;

/**
 * Returns the program with the artifact's components and prompt layout. Sends nothing to a model.
 *
 * @throws EspalierError `artifact-drifted` if the program is not the compiled one; names as many
 * changes as fit into a message, and the number of the others; `part-missing` if it chooses
 * demonstrations by an embedder and the program has none
 */
export function loadArtifact<TInput, TOutput>(
  artifact: Artifact,
  program: TunableProgram<TInput, TOutput>,
): TunableProgram<TInput, TOutput> {
  checkDrift(artifact, program);
  checkEmbedders(artifact, program.predictors);
  const layout = layoutOf(artifact.compiled) ?? promptLayout;
  return program.withPromptLayout(layout).with(artifact.compiled.components);
}

/**
 * @throws EspalierError `artifact-drifted`, as in `loadArtifact`; `programDrift` returns all
 * differences
 */
export function checkDrift(artifact: Artifact, program: ProgramDeclaration): void {
  const drifts = programDrift(artifact, program);
  if (drifts.length === 0) return;
  const { name, version } = artifact.compiled.program;
  throw new EspalierError({
    code: "artifact-drifted",
    problem: `The program differs from the compiled one: ${driftSentences(drifts)}`,
    where: `artifact ${artifact.hash.slice(0, 12)} of program "${name}" ${version}`,
    fix: "Recompile the program, or restore its earlier code. To use what was compiled all the same, name the study and add `--candidate ARTIFACT`; in code, `program.with(artifact.compiled.components)`",
  });
}

/**
 * All differences between a program and the compiled one; empty if it can be loaded. Declarations
 * come first: prompts are compared only if all declarations match.
 */
export function programDrift(
  { compiled }: Artifact,
  program: ProgramDeclaration,
): readonly Drift[] {
  const layout = layoutOf(compiled);
  const declared = [
    ...changed("name of the program", compiled.program.name, program.name),
    ...changed("version of the program", compiled.program.version, program.version),
    ...predictorDrift(compiled, program.predictors),
    ...parameterDrift(compiled, program.parameters),
    ...embedderDrift(compiled, program.predictors),
    ...(layout === undefined
      ? changed("layout of prompts", compiled.promptLayout, promptLayout)
      : []),
  ];
  if (declared.length > 0 || layout === undefined) return declared;
  const laidOut = program.withPromptLayout(layout);
  return promptDrift(compiled.samples, laidOut.with(compiled.components));
}

/** `undefined` for a layout of a newer version of espalier. */
function layoutOf({ promptLayout: compiledWith }: Artifact["compiled"]): PromptLayout | undefined {
  return promptLayouts.find((layout) => layout === compiledWith);
}
