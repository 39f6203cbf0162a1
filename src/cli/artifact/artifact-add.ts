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
import { signaturePolicy } from "../arguments/signature-policy.ts";
import { print, tell } from "../terminal/terminal.ts";

const args = {
  file: {
    type: "positional",
    description: "An artifact, as `espalier optimize` and `espalier eval --artifact` write it",
    valueHint: "FILE",
    required: true,
  },
  to: {
    type: "string",
    description: "Also let this alias name it: production or candidate",
    valueHint: "ALIAS",
  },
  ...moveArguments,
  ...registryArguments,
} as const;

/** `espalier artifact add`: keeps a file as a version. */
export const add: AnyCommand = defineCommand({
  meta: { name: "add", description: "Keep an artifact in the registry, as a version" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    if (given.to === undefined) refuseWithoutAlias(given);
    const alias = given.to === undefined ? undefined : aliasOption("to", given.to);
    const registry = openRegistry(given.registry);
    const artifact = await readArtifact(given.file);
    const program = artifact.compiled.program.name;
    const strict = await signaturePolicy(given.trusted);
    const { version, isNew } = await registry.add(artifact);
    const { path } = await registry.resolve(program, version);
    if (alias !== undefined) {
      await registry.promote(program, version, alias, { ...noteFrom(given), ...strict });
    }
    if (given.json) {
      print(JSON.stringify({ program, version, path, isNew, alias: alias ?? null }));
      return;
    }
    print(`${path}${isNew ? "" : " was there already"}`);
    if (alias !== undefined) print(`${alias} of ${program} is ${version}`);
    if (isElsewhere(artifact, given.file, path)) {
      tell(
        `It says that its program is at ${artifact.compiled.program.module}, seen from where it was: ` +
          "to run it from the registry, say where with --study STUDY.",
      );
    }
  },
});

function refuseWithoutAlias(
  given: Readonly<Partial<Record<keyof typeof moveArguments, string | undefined>>>,
): void {
  const unused = (["by", "why", "trusted"] as const).filter((name) => given[name] !== undefined);
  if (unused.length === 0) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `There is nothing that ${unused.map((name) => `--${name}`).join(", ")} could do where no alias moves`,
    expected: "--to production or --to candidate beside it",
  });
}

/** A relative path is part of what is hashed, and cannot follow the file. */
function isElsewhere({ compiled }: Artifact, from: string, to: string): boolean {
  const { module } = compiled.program;
  if (module === undefined || !module.startsWith(".")) return false;
  const [before, after] = [from, to].map((path) => resolve(dirname(path), module));
  return before !== after && after !== undefined && !existsSync(after);
}
