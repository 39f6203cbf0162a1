import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import type { Registry, VersionEntry } from "../../artifact/index.ts";
import { openRegistry, standInsOfArtifact } from "../../artifact/files.ts";
import { registryArguments } from "./artifact-arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { print } from "../terminal/terminal.ts";
import { joinLines } from "../terminal/join-lines.ts";
import type { StandIn } from "../../stand-in/index.ts";
import { distinctStandIns, standInLabel } from "../../stand-in/index.ts";

const args = {
  program: {
    type: "positional",
    description: "Name of a program; defaults to all",
    valueHint: "PROGRAM",
    required: false,
  },
  ...registryArguments,
} as const;

/** `espalier artifact list`: lists programs, their versions and aliases. */
export const list: AnyCommand = defineCommand({
  meta: { name: "list", description: "List programs and their versions" },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const registry = openRegistry(given.registry);
    const names = given.program === undefined ? await registry.programs() : [given.program];
    const programs = await Promise.all(names.map((name) => programOf(registry, name)));
    if (given.json) print(JSON.stringify(programs.map(dataOf)));
    else if (programs.every(({ entries }) => entries.length === 0)) {
      print(`No versions in ${given.registry}.`);
    } else {
      print(programs.map(programText).join("\n\n"));
      const { warning } = standInLabel(distinctStandIns(programs.flatMap(standInsIn)));
      if (warning !== "") print(`\n${warning}`);
    }
  },
});

interface ListedProgram {
  readonly name: string;
  readonly entries: readonly VersionEntry[];
}

async function programOf(registry: Registry, name: string): Promise<ListedProgram> {
  return { name, entries: await registry.list(name) };
}

function programText({ name, entries }: ListedProgram): string {
  return joinLines([name, ...entries.map((entry) => `  ${entryText(entry)}`)]);
}

function entryText(entry: VersionEntry): string {
  const head = [entry.version, ...entry.aliases].join("  ");
  if (entry.state === "unreadable") return `${head}  unreadable: ${entry.problem.message}`;
  const { program, optimizer, scores, lm } = entry.artifact.compiled;
  const parts = [
    `program ${program.version}`,
    optimizer === null ? "no optimizer" : `${optimizer.name}, seed ${optimizer.seed}`,
    ...scores.map(
      ({ metric, value, split }) =>
        `${metric.name} ${value === null ? "unscored" : value.toFixed(4)} on ${split}`,
    ),
    `LM ${lm.model}${standInLabel(standInsOfArtifact(entry.artifact)).inBrackets}`,
  ];
  return `${head}  ${parts.join("; ")}`;
}

function dataOf({ name, entries }: ListedProgram): object {
  return {
    program: name,
    versions: entries.map((entry) => {
      const { version, aliases } = entry;
      if (entry.state === "unreadable") {
        const { code, message } = entry.problem;
        return { version, aliases, problem: { code, message } };
      }
      const { hash, compiled } = entry.artifact;
      const { program, optimizer, scores, lm } = compiled;
      return { version, aliases, hash, program, optimizer, scores, lm };
    }),
  };
}

function standInsIn({ entries }: ListedProgram): readonly StandIn[] {
  return entries.flatMap((entry) =>
    entry.state === "readable" ? standInsOfArtifact(entry.artifact) : [],
  );
}
