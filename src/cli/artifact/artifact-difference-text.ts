import type { ArtifactDifference, ArtifactScore } from "../../artifact/index.ts";
import { driftSentence } from "../../artifact/files.ts";
import type { Demonstration } from "../../contract/index.ts";
import { excerpt } from "../../internal/index.ts";
import { intervalText } from "../terminal/interval-text.ts";
import { wordDiffText } from "../../word-diff/index.ts";
import { joinLines } from "../terminal/join-lines.ts";

/** Formats a difference; texts are compared word by word, as in `git diff --word-diff`. */
export function artifactDifferenceText(difference: ArtifactDifference): string {
  const { facts, texts, demos, parameters, scores } = difference;
  const isSame = [facts, texts, demos, parameters].every(({ length }) => length === 0);
  return joinLines([
    ...(isSame ? ["", "The programs are the same."] : []),
    ...facts.flatMap((fact) => ["", driftSentence(fact)]),
    ...texts.flatMap(({ kind, path, was, now }) => [
      "",
      `${kind === "instruction" ? "instruction" : "description"} of ${path}`,
      ...wordDiffText(was ?? "", now ?? "")
        .split("\n")
        .map((line) => `  | ${line}`),
    ]),
    ...demos.flatMap(({ path, removed, added, kept, isReordered, choice }) => [
      "",
      `demonstrations of ${path}: ${kept} unchanged${isReordered ? ", reordered" : ""}`,
      ...(choice ? [`  shown: ${choice.was} -> ${choice.now}`] : []),
      ...removed.map((demo) => `  - ${demoText(demo)}`),
      ...added.map((demo) => `  + ${demoText(demo)}`),
    ]),
    ...(parameters.length === 0 ? [] : ["", "parameters"]),
    ...parameters.map(
      ({ path, was, now }) => `  ${path}  ${JSON.stringify(was)} -> ${JSON.stringify(now)}`,
    ),
    ...(scores.length === 0 ? [] : ["", "scores"]),
    ...scores.map(
      ({ metric, split, was, now }) =>
        `  ${metric} on ${split}  ${scoreText(was)} -> ${scoreText(now)}`,
    ),
  ]);
}

function scoreText(score: ArtifactScore | null): string {
  if (score === null) return "not measured";
  const { value, interval } = score;
  return value === null ? "nothing was scored" : `${value.toFixed(4)} ${intervalText(interval)}`;
}

function demoText({ exampleId, inputs, outputs }: Demonstration): string {
  return excerpt(`${exampleId}  ${JSON.stringify(inputs)} => ${JSON.stringify(outputs)}`, 160);
}
