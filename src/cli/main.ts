import { stripVTControlCharacters } from "node:util";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runCommand } from "citty";
import type { AnyCommand } from "./arguments/arguments.ts";
import { EspalierError, failureOf } from "../errors/index.ts";
import { commands, examples } from "./commands.ts";
import { exitCodeHelp, exitCodeOf } from "./arguments/exit-code.ts";
import { manifest } from "./arguments/manifest.ts";
import type { Example } from "./commands.ts";
import { isAnnounced, sayInterrupted } from "./arguments/interrupt.ts";
import type { HelpedCommand } from "./terminal/help-text.ts";
import { boldHeading, helpText } from "./terminal/help-text.ts";
import { nearestName, opened } from "../internal/index.ts";
import { columnsOf, print, printStyled, printToStderr } from "./terminal/terminal.ts";

/**
 * Runs the command line. `rawArgs` excludes the program's name. Sets the exit code and never
 * throws: errors go to standard error with their code.
 */
export async function main(rawArgs: string[]): Promise<void> {
  const [name = "", ...rest] = rawArgs;
  if (process.env["NODE_USE_ENV_PROXY"] === "1" && !(await knowsProxies())) {
    printToStderr(
      `NODE_USE_ENV_PROXY is set, but Node.js ${process.versions.node} bypasses the proxy for model calls. Use 22.21 or a newer 22.x, or 24.5 or newer.`,
    );
  }
  let words = "";
  using _start = sayInterrupted();
  try {
    if (rawArgs.length === 0 || isHelpWord(name)) return printHelp(overview());
    if (name === "help") return printHelp(await chosen(rest));
    if (name === "--version" || name === "-v") return print(manifest.version);
    const found = await chosen([name, ...rest]);
    words = found.words;
    const isHelp = rest.some(isHelpWord);
    // With no further word, or with --help before a subcommand, help is about the outer command.
    if (isHelp || (found.command.subCommands !== undefined && rest.length === 0)) printHelp(found);
    else await runCommand(found.outer, { rawArgs: rest });
  } catch (error) {
    fail(asUsage(error, words), rawArgs);
  }
  await closeOpened().catch((error: unknown) => fail(error, rawArgs));
}

function fail(error: unknown, rawArgs: readonly string[]): void {
  process.exitCode = exitCodeOf(error);
  const nearest = nearestFileIn(error, rawArgs);
  // Ctrl-C has said what there is to say.
  if (!isAnnounced(error)) printToStderr(`${describe(error)}${nearest}`);
}

/** Disposes of what the user's files have opened, which would keep the process alive. */
async function closeOpened(): Promise<void> {
  const all = [...opened];
  opened.clear();
  const ended = await Promise.allSettled(
    all.map(async (each) =>
      Symbol.asyncDispose in each ? each[Symbol.asyncDispose]() : each[Symbol.dispose](),
    ),
  );
  for (const end of ended) if (end.status === "rejected") throw end.reason;
}

/** Whether this Node.js has an `http.Agent` that knows of proxies. */
async function knowsProxies(): Promise<boolean> {
  const { globalAgent } = await import("node:http");
  return "proxyEnv" in (globalAgent as unknown as { readonly options: object }).options;
}

function isHelpWord(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** A command as it was typed, and the outer one that runs it. */
interface Chosen {
  readonly words: string;
  readonly about: string;
  readonly command: HelpedCommand;
  readonly outer: AnyCommand;
}

/** The command that words begin with: of one with commands of its own, that of the second word. */
async function chosen([name = "", second = ""]: readonly string[]): Promise<Chosen> {
  if (name === "") return overview();
  const { description, load } = findCommand(commands, name);
  const outer: AnyCommand = { ...(await load()), meta: { name, description } };
  const nested = outer.subCommands as Readonly<Record<string, AnyCommand>> | undefined;
  if (nested === undefined || second === "" || isHelpWord(second)) {
    const command = outer as HelpedCommand;
    return { words: name, about: description, command, outer };
  }
  const inner = findCommand(nested, second, name);
  const { description: about = "" } = inner.meta as { readonly description?: string };
  return { words: `${name} ${second}`, about, command: inner as HelpedCommand, outer };
}

function overview(): Chosen {
  const subCommands = Object.fromEntries(
    Object.entries(commands).map(([name, { description }]) => [name, { meta: { description } }]),
  );
  const outer: AnyCommand = {};
  return {
    words: "",
    about: `${manifest.description.replace(/[.]$/, "")}, version ${manifest.version}`,
    command: { subCommands },
    outer,
  };
}

/** Of a command with commands of its own, those of all of them. */
function examplesOf(words: string): readonly Example[] {
  if (words === "") return overallExamples;
  return Object.entries(examples).flatMap(([of, own]) =>
    of === words || of.startsWith(`${words} `) ? own : [],
  );
}

/** The way of a new user. */
const overallExamples: readonly Example[] = [
  ["init my-project --yes", "a ready-to-run project"],
  ["eval study.ts --rehearsal", "its score, with a mock LM"],
  ["optimize study.ts --budget small --rehearsal", "a whole search"],
];

function printHelp({ words, about, command }: Chosen): void {
  const text = helpText(`espalier ${words}`.trimEnd(), command, {
    about,
    examples: examplesOf(words),
    width: columnsOf(process.stdout),
    heading: boldHeading,
  });
  printStyled(words === "" ? `${text}\n\n${exitCodeHelp}` : text);
}

/** citty's own lookup finds `constructor` in every table and skips options before a command. */
function findCommand<TCommand>(
  table: Readonly<Record<string, TCommand>>,
  name: string,
  outer = "",
): TCommand {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  const nearest = nearestName(name, Object.keys(table));
  const help = helpOf(outer);
  throw new EspalierError({
    code: "usage-invalid",
    problem: name.startsWith("-")
      ? `A command must come before ${name}`
      : `Unknown command ${name}`,
    ...(nearest === undefined
      ? { expected: Object.keys(table).join(", "), fix: help }
      : { fix: `Did you mean ${nearest}? ${help}` }),
  });
}

function describe(error: unknown): string {
  if (EspalierError.isInstance(error)) return `espalier: ${error.code}: ${error.message}`;
  const { code, message } = failureOf(error);
  if (code === "aborted") return `espalier: ${code}: ${message}`;
  return `espalier: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** What citty throws itself, such as for a missing argument, as an error of our own. */
function asUsage(error: unknown, words: string): unknown {
  if (!(error instanceof Error) || error.name !== "CLIError") return error;
  return new EspalierError({
    code: "usage-invalid",
    // citty colours words of its messages, whoever reads them.
    problem: stripVTControlCharacters(error.message).replace(/\.$/, ""),
    fix: helpOf(words),
    cause: error,
  });
}

function helpOf(words: string): string {
  return `See espalier ${words === "" ? "" : `${words} `}--help`;
}

/**
 * ` Did you mean "study.ts"?` for an error about a missing file that the command line names, if its
 * folder has one with nearly the same name; otherwise nothing.
 */
function nearestFileIn(error: unknown, rawArgs: readonly string[]): string {
  if (!EspalierError.isInstance(error) || error.code !== "file-missing") return "";
  const named = rawArgs
    .map((word) => word.replace(/^--[^=]*=/, "").replace(/^@/, ""))
    // A word without either is a command or a name.
    .filter((word) => /[./]/.test(word) && error.message.includes(word) && !existsSync(word));
  const [nearest] = named.flatMap((path) => nearestFile(path) ?? []);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/** The path with the nearest name in the same folder, or in the folder with the nearest name. */
function nearestFile(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    const other = folder === path ? undefined : nearestFile(folder);
    const moved = other === undefined ? undefined : join(other, basename(path));
    return moved !== undefined && existsSync(moved) ? moved : undefined;
  }
  const nearest = nearestName(basename(path), namesIn(folder));
  return nearest === undefined ? undefined : join(folder, nearest);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A file in place of the folder, or one that may not be read: nothing to suggest.
    return [];
  }
}
