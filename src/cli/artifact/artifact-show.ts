import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import type { AliasMove } from "../../artifact/index.ts";
import { openRegistry } from "../../artifact/files.ts";
import { programArgument, registryArguments, versionArgument } from "./artifact-arguments.ts";
import { artifactLines } from "./artifact-text.ts";
import { moveText } from "./artifact-move-text.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";
import { joinLines } from "../terminal/join-lines.ts";

const args = {
  ...programArgument,
  version: { ...versionArgument.version, required: false, default: "production" },
  ...registryArguments,
} as const;

/** `espalier artifact show`: shows one version and the alias moves to and from it. */
export const show: AnyCommand = defineCommand({
  meta: { name: "show", description: "Show a version: texts, parameters, scores, moves" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const registry = openRegistry(given.registry);
    const { artifact, version } = await registry.resolve(given.program, given.version);
    const moves = (await registry.history(given.program)).filter(
      ({ from, to }) => from === version || to === version,
    );
    if (given.json) print(JSON.stringify({ version, artifact, moves }));
    else print(joinLines([...artifactLines(artifact), ...movesText(moves)]));
  },
});

function movesText(moves: readonly AliasMove[]): readonly string[] {
  return moves.length === 0 ? [] : ["", "moves", ...moves.map((move) => `  ${moveText(move)}`)];
}
