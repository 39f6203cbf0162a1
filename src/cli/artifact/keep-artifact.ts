import { dirname, relative, resolve, sep } from "node:path";
import {
  artifactScore,
  compileArtifact,
  recordedInputs,
  writeArtifact,
} from "../../artifact/index.ts";
import type { SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import type { Study } from "../../study/index.ts";
import { manifest } from "../arguments/manifest.ts";
import type { OpenedLm } from "../lm/open-lm.ts";
import { tell } from "../terminal/terminal.ts";

export interface EvaluatedProgram {
  /** Its program is the one evaluated. */
  readonly study: Study;
  readonly studyPath: string;
  readonly artifactPath: string;
  readonly split: SplitName;
  readonly evaluation: Evaluation;
  readonly opened: OpenedLm;
}

/**
 * Writes a program as it was just evaluated, which no optimizer has touched, as an artifact. An
 * evaluation below its coverage floor supports no claim, so nothing is written then.
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
    tell("No artifact was written: too much stayed unscored.");
    return;
  }
  const { isRehearsal, ledger } = opened.report();
  const artifact = compileArtifact({
    program,
    module: moduleFrom(artifactPath, studyPath),
    lm: opened.lm.identity,
    metric: objective,
    dataset: { trainset, splits: { [split]: rows.map(({ exampleId }) => exampleId) } },
    scores: [artifactScore(evaluation, split)],
    samples: recordedInputs(rows.map(({ trace }) => trace)),
    run: {
      espalier: manifest.version,
      finishedAt: new Date().toISOString(),
      isRehearsal,
      seconds,
      ledger,
      server: opened.server,
    },
  });
  await writeArtifact(artifactPath, artifact);
  tell(`Artifact ${artifact.hash.slice(0, 12)} written to ${artifactPath}.`);
}

/** The path for an artifact, if one is wanted: commands tell artifacts from studies by their ending. */
export function jsonPath(given: string | undefined, option = "artifact"): string | undefined {
  if (given === undefined || given.endsWith(".json")) return given;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `--${option} cannot take this value`,
    expected: "a path that ends with .json",
    got: `"${given}"`,
  });
}

/** The study's path as a module specifier relative to the artifact, the same on every machine. */
export function moduleFrom(artifactPath: string, studyPath: string): string {
  const path = relative(dirname(resolve(artifactPath)), resolve(studyPath))
    .split(sep)
    .join("/");
  return path.startsWith("../") ? path : `./${path}`;
}
