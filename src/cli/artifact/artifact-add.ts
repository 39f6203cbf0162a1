import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import type { Artifact } from "../../artifact/index.ts";
import { openRegistry, readArtifact } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import { aliasOption, moveArguments, registryArguments } from "./artifact-arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { noteFrom } from "./artifact-note.ts";
import { print, printToStderr } from "../terminal/terminal.ts";

const args = {
  file: {
    type: "positional",
    description: "Artifact written by `espalier optimize` or `espalier eval --artifact`",
    valueHint: "FILE",
    required: true,
  },
  to: {
    type: "string",
    description: "Also point this alias to it: production or candidate",
    valueHint: "ALIAS",
  },
  ...moveArguments,
  ...registryArguments,
} as const;

/** `espalier artifact add`: stores a file as a version. */
export const add: AnyCommand = defineCommand({
  meta: { name: "add", description: "Add an artifact to the registry as a version" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    if (given.to === undefined) rejectMoveOptions(given);
    const alias = given.to === undefined ? undefined : aliasOption("to", given.to);
    const registry = openRegistry(given.registry);
    const artifact = await readArtifact(given.file);
    const program = artifact.compiled.program.name;
    const { version, isNew } = await registry.add(artifact);
    const { path } = await registry.resolve(program, version);
    if (alias !== undefined) await registry.promote(program, version, alias, noteFrom(given));
    if (given.json) {
      print(JSON.stringify({ program, version, path, isNew, alias: alias ?? null }));
      return;
    }
    print(`${path}${isNew ? "" : " already exists"}`);
    if (alias !== undefined) print(`${alias} of ${program} is now ${version}`);
    if (isElsewhere(artifact, given.file, path)) {
      printToStderr(
        `The artifact names its program as ${artifact.compiled.program.module}, relative to its original folder. ` +
          "To run it from the registry, name the program's file with --study STUDY.",
      );
    }
  },
});

/** Without an alias to move, the options of a move have no effect. */
function rejectMoveOptions(
  given: Readonly<Partial<Record<keyof typeof moveArguments, string | undefined>>>,
): void {
  const unused = (["by", "why"] as const).filter((name) => given[name] !== undefined);
  if (unused.length === 0) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `${unused.map((name) => `--${name}`).join(", ")} has no effect unless an alias moves`,
    expected: "--to production or --to candidate as well",
  });
}

/** The hash covers a relative path, so it cannot be adapted when the file moves. */
function isElsewhere({ compiled }: Artifact, from: string, to: string): boolean {
  const { module } = compiled.program;
  if (module === undefined || !module.startsWith(".")) return false;
  const [before, after] = [from, to].map((path) => resolve(dirname(path), module));
  return before !== after && after !== undefined && !existsSync(after);
}
