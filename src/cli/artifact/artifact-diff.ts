import type { AnyCommand } from "../arguments/arguments.ts";
import {
  artifactDifference,
  driftSentence,
  openRegistry,
  mocksOfArtifact,
} from "../../artifact/files.ts";
import { programArgument, registryArguments } from "./artifact-arguments.ts";
import type { ArtifactDifference, ArtifactScore, Drift } from "../../artifact/index.ts";
import type { Component } from "../../contract/index.ts";
import { componentChanges } from "../terminal/component-changes.ts";
import { intervalText } from "../terminal/figures-text.ts";
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
    print(differenceText(difference));
    if (warning !== "") print(`\n${warning}`);
  },
});

function differenceText({ facts, components, scores }: ArtifactDifference): string {
  const [was, now] = (["was", "now"] as const).map((side) =>
    components.flatMap((pair) => pair[side] ?? []),
  ) as [Component[], Component[]];
  const changes = componentChanges(was, now);
  return joinLines([
    ...(facts.length + changes.length === 0 ? ["", "The programs are the same."] : []),
    ...facts.flatMap((fact) => ["", ...factLines(fact)]),
    ...(changes.length === 0 ? [] : ["", ...changes]),
    ...(scores.length === 0 ? [] : ["", "scores"]),
    ...scores.map(
      ({ metric, split, was, now }) =>
        `  ${metric} on ${split}  ${scoreText(was)} -> ${scoreText(now)}`,
    ),
  ]);
}

/** In characters: longer values stand one below the other. */
const longestSentence = 100;

function factLines(fact: Drift): readonly string[] {
  const sentence = driftSentence(fact);
  const { what, was, now } = fact;
  return sentence.length <= longestSentence || was === null || now === null
    ? [sentence]
    : [what, `  - ${was}`, `  + ${now}`];
}

function scoreText(score: ArtifactScore | null): string {
  if (score === null) return "not measured";
  const { value, interval } = score;
  return value === null ? "nothing was scored" : `${value.toFixed(4)} ${intervalText(interval)}`;
}
