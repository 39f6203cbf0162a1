import type { PromptLayout } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import { promptLayout, promptLayouts } from "../../program/index.ts";
import type { Artifact } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed, driftSentences } from "./drift.ts";
import { parameterDrift } from "./parameter-drift.ts";
import { predictorDrift } from "./predictor-drift.ts";
import { promptDrift } from "./prompt-drift.ts";

/** What is compared with an artifact: a program by what it declares and how it renders. */
export type ProgramDeclaration = Pick<
  TunableProgram,
  "name" | "version" | "predictors" | "parameters" | "with" | "withPromptLayout" | "render"
>;

/**
 * The program with the artifact's components in place of its own, and its prompts laid out as they were
 * when it was compiled. Nothing is sent to a model.
 *
 * @throws EspalierError `artifact-drifted`, naming what changed as far as a message has room, and how much more,
 *   when the program is not the one that was compiled
 */
export function loadArtifact<TInput, TOutput>(
  artifact: Artifact,
  program: TunableProgram<TInput, TOutput>,
): TunableProgram<TInput, TOutput> {
  checkDrift(artifact, program);
  const layout = layoutOf(artifact.compiled) ?? promptLayout;
  return program.withPromptLayout(layout).with(artifact.compiled.components);
}

/** @throws EspalierError `artifact-drifted`, as `loadArtifact` does; `programDrift` gives all of it */
export function checkDrift(artifact: Artifact, program: ProgramDeclaration): void {
  const drifts = programDrift(artifact, program);
  if (drifts.length === 0) return;
  const { name, version } = artifact.compiled.program;
  throw new EspalierError({
    code: "artifact-drifted",
    problem: `The program is not the one that was compiled: ${driftSentences(drifts)}`,
    where: `artifact ${artifact.hash.slice(0, 12)} of program "${name}" ${version}`,
    fix: "Compile the program again, or go back to its code as it was",
  });
}

/**
 * All that differs between a program and the one that was compiled; empty when it can be loaded. What
 * is declared comes first: prompts are compared only where all of it is as it was.
 */
export function programDrift(
  { compiled }: Artifact,
  program: ProgramDeclaration,
): readonly Drift[] {
  const layout = layoutOf(compiled);
  const declared = [
    ...changed("name of the program", compiled.program.name, program.name),
    ...changed("version of the program", compiled.program.version, program.version),
    ...predictorDrift(compiled.predictors, program.predictors),
    ...parameterDrift(compiled, program.parameters),
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
