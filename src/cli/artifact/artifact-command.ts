import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import type { AliasMove, Artifact, Registry, VersionEntry } from "../../artifact/index.ts";
import { openRegistry, readArtifact, mocksOfArtifact } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import {
  aliasOption,
  moveArguments,
  moveText,
  noteFrom,
  programArgument,
  registryArguments,
  versionArgument,
} from "./artifact-arguments.ts";
import { command } from "../arguments/command.ts";
import { joinLines, print, printToStderr } from "../terminal/terminal.ts";
import { diff } from "./artifact-diff.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import type { Mock } from "../../mock/index.ts";
import { distinctMocks, mockLabel } from "../../mock/index.ts";
import { promote, rollback, withdraw } from "./artifact-move.ts";
import { artifactLines } from "./artifact-text.ts";
import { verify } from "./artifact-verify.ts";

/** `espalier artifact show`: shows one version and the alias moves to and from it. */
const show: AnyCommand = command({
  meta: { name: "show", description: "Show a version: texts, parameters, scores, alias moves" },
  args: {
    ...programArgument,
    version: { ...versionArgument.version, required: false, default: "production" },
    ...registryArguments,
  },
  run: async (given) => {
    const registry = openRegistry(given.registry);
    const { artifact, version } = await registry.resolve(given.program, given.version);
    const moves = (await registry.aliases(given.program)).history.filter(
      ({ from, to }) => from === version || to === version,
    );
    if (given.json) print(JSON.stringify({ version, artifact, moves }));
    else print(joinLines([...artifactLines(artifact), ...movesText(moves)]));
  },
});

/** `espalier artifact list`: lists programs, their versions and aliases. */
const list: AnyCommand = command({
  meta: { name: "list", description: "List programs and their versions" },
  args: {
    program: {
      type: "positional",
      description: "Name of a program; defaults to all",
      valueHint: "PROGRAM",
      required: false,
    },
    ...registryArguments,
  },
  run: async (given) => {
    const registry = openRegistry(given.registry);
    const names = given.program === undefined ? await registry.programs() : [given.program];
    const programs = await Promise.all(names.map((name) => programOf(registry, name)));
    if (given.json) print(JSON.stringify(programs.map(dataOf)));
    else if (programs.every(({ entries }) => entries.length === 0)) {
      print(`No versions in ${given.registry}.`);
    } else {
      print(programs.map(programText).join("\n\n"));
      const { warning } = mockLabel(distinctMocks(programs.flatMap(mocksIn)));
      if (warning !== "") print(`\n${warning}`);
    }
  },
});

/**
 * `espalier artifact export`: exports the prompts of a version for any chat API. The output is
 * always JSON.
 */
const exportSubcommand: AnyCommand = command({
  meta: { name: "export", description: "Export a version's prompts for use without espalier" },
  args: {
    ...programArgument,
    ...versionArgument,
    out: {
      type: "string",
      description: "Write to this file instead of printing",
      valueHint: "FILE",
    },
    registry: registryArguments.registry,
  },
  run: async (given) => {
    const { out } = given;
    await checkWritable("out", out, { isShared: true });
    // Imported here, so that the other registry commands do not load it.
    const { plainMessages } = await import("../../artifact/index.ts");
    const { artifact } = await openRegistry(given.registry).resolve(given.program, given.version);
    const value = plainMessages(artifact);
    const text = JSON.stringify(value, null, 2);
    if (out === undefined) print(text);
    else await writeFileAtomic(out, `${text}\n`, { isShared: true });
    for (const name of value.notRecorded) {
      printToStderr(`${name} has no recorded input, so its prompt is unknown.`);
    }
    const { warning } = mockLabel(mocksOfArtifact(artifact));
    if (warning !== "") printToStderr(warning);
  },
});

/** `espalier artifact add`: stores a file as a version. */
const add: AnyCommand = command({
  meta: { name: "add", description: "Add an artifact to the registry as a version" },
  args: {
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
  },
  run: async (given) => {
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
        `The artifact's program path, ${artifact.compiled.program.module}, is relative to the artifact's original folder. ` +
          "To run it from the registry, name the program's file with --study STUDY.",
      );
    }
  },
});

/** `espalier artifact`: manages the registry of compiled programs. */
export const artifactSubcommand: AnyCommand = defineCommand({
  subCommands: {
    list,
    show,
    diff,
    add,
    promote,
    rollback,
    withdraw,
    verify,
    export: exportSubcommand,
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
    `LM ${lm.model}${mockLabel(mocksOfArtifact(entry.artifact)).inBrackets}`,
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

function mocksIn({ entries }: ListedProgram): readonly Mock[] {
  return entries.flatMap((entry) =>
    entry.state === "readable" ? mocksOfArtifact(entry.artifact) : [],
  );
}

function movesText(moves: readonly AliasMove[]): readonly string[] {
  return moves.length === 0 ? [] : ["", "moves", ...moves.map((move) => `  ${moveText(move)}`)];
}
