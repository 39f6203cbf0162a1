import {
  artifactScore,
  compileArtifact,
  moduleFrom,
  recordedInputs,
  recordedVectors,
  writeArtifact,
} from "../../artifact/index.ts";
import type { SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import type { Study } from "../../study/index.ts";
import { manifest } from "../arguments/manifest.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { printToStderr } from "../terminal/terminal.ts";

export interface EvaluatedProgram {
  /** Its program is the one that was evaluated. */
  readonly study: Study;
  readonly studyPath: string;
  readonly artifactPath: string;
  readonly split: SplitName;
  readonly evaluation: Evaluation;
  readonly opened: OpenedLms;
}

/**
 * Writes the evaluated program, which no optimizer has changed, as an artifact. Writes nothing if
 * coverage is below the floor, since such an evaluation supports no claim.
 */
export async function keepArtifact({
  study: { program, objective, trainset },
  studyPath,
  artifactPath,
  split,
  evaluation,
  opened,
}: EvaluatedProgram): Promise<void> {
  const { rows, seconds, isAcceptable } = evaluation;
  if (!isAcceptable) {
    printToStderr("No artifact was written: too many examples remained unscored.");
    return;
  }
  const { isRehearsal, ledger, mocks, lms } = opened.report();
  const samples = recordedInputs(rows.map(({ trace }) => trace));
  const artifact = compileArtifact({
    program,
    module: moduleFrom(artifactPath, studyPath),
    lm: opened.lm.identity,
    metric: objective,
    dataset: { trainset, splits: { [split]: rows.map(({ exampleId }) => exampleId) } },
    scores: [artifactScore(evaluation, split)],
    samples,
    vectors: await recordedVectors(program, samples),
    run: {
      espalier: manifest.version,
      finishedAt: new Date().toISOString(),
      isRehearsal,
      ...(mocks.length > 0 && { mocks }),
      ...(lms && { lms }),
      seconds,
      ledger,
      server: opened.server,
    },
  });
  await writeArtifact(artifactPath, artifact);
  printToStderr(`Artifact ${artifact.hash.slice(0, 12)} written to ${artifactPath}.`);
}

/** Checks the path of an artifact, if given: commands recognize artifacts by their extension. */
export function jsonPath(given: string | undefined, option = "artifact"): string | undefined {
  if (given === undefined || given.endsWith(".json")) return given;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: "a path that ends with .json",
    got: `"${given}"`,
  });
}
