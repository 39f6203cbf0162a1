import type { AnyCommand } from "../arguments/arguments.ts";
import {
  artifactDifference,
  driftSentence,
  openRegistry,
  mocksOfArtifact,
} from "../../artifact/files.ts";
import { programArgument, registryArguments } from "./artifact-arguments.ts";
import type { ArtifactDifference, ArtifactScore } from "../../artifact/index.ts";
import type { Demonstration } from "../../contract/index.ts";
import { excerpt } from "../../internal/index.ts";
import { intervalText } from "../terminal/figures-text.ts";
import { wordDiffText } from "../../word-diff/index.ts";
import { command } from "../arguments/command.ts";
import { joinLines, print } from "../terminal/terminal.ts";
import { distinctMocks, mockLabel } from "../../mock/index.ts";

/** `espalier artifact diff`: compares two versions. */
export const diff: AnyCommand = command({
  meta: {
    name: "diff",
    description: "Compare two versions: texts, demonstrations, parameters, scores",
  },
  args: {
    ...programArgument,
    before: {
      type: "positional",
      description: "production, candidate, or the first digits of a version",
      valueHint: "BEFORE",
      required: false,
      default: "production",
    },
    after: {
      type: "positional",
      description: "Version to compare it with",
      valueHint: "AFTER",
      required: false,
      default: "candidate",
    },
    ...registryArguments,
  },
  run: async (given) => {
    const registry = openRegistry(given.registry);
    const before = await registry.resolve(given.program, given.before);
    const after = await registry.resolve(given.program, given.after);
    const difference = artifactDifference(before.artifact, after.artifact);
    if (given.json) {
      const versions = { before: before.version, after: after.version };
      print(JSON.stringify({ ...versions, ...difference }));
      return;
    }
    const mocks = [before, after].flatMap(({ artifact }) => mocksOfArtifact(artifact));
    const { warning } = mockLabel(distinctMocks(mocks));
    print(`${given.program}  ${before.version} -> ${after.version}`);
    print(artifactDifferenceText(difference));
    if (warning !== "") print(`\n${warning}`);
  },
});

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
