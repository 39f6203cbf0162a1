import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { artifactDifference, openRegistry, standInsOfArtifact } from "../../artifact/files.ts";
import { programArgument, registryArguments } from "./artifact-arguments.ts";
import { artifactDifferenceText } from "./artifact-difference-text.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";
import { distinctStandIns, standInLabel } from "../../stand-in/index.ts";

const args = {
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
} as const;

/** `espalier artifact diff`: compares two versions. */
export const diff: AnyCommand = defineCommand({
  meta: {
    name: "diff",
    description: "Compare two versions: texts, demonstrations, parameters, scores",
  },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const registry = openRegistry(given.registry);
    const before = await registry.resolve(given.program, given.before);
    const after = await registry.resolve(given.program, given.after);
    const difference = artifactDifference(before.artifact, after.artifact);
    if (given.json) {
      const versions = { before: before.version, after: after.version };
      print(JSON.stringify({ ...versions, ...difference }));
      return;
    }
    const standIns = [before, after].flatMap(({ artifact }) => standInsOfArtifact(artifact));
    const { warning } = standInLabel(distinctStandIns(standIns));
    print(`${given.program}  ${before.version} -> ${after.version}`);
    print(artifactDifferenceText(difference));
    if (warning !== "") print(`\n${warning}`);
  },
});
