import type { AnyCommand } from "./arguments/arguments.ts";
import { defineCommand, runCommand, showUsage } from "citty";
import { EspalierError, failureOf } from "../errors/index.ts";
import { commands } from "./commands.ts";
import { exitCodeHelp, exitCodeOf, exitCodes } from "./arguments/exit-code.ts";
import { manifest } from "./arguments/manifest.ts";
import { print, printToStderr } from "./terminal/terminal.ts";

const command = defineCommand({
  meta: { name: "espalier", version: manifest.version, description: manifest.description },
  // The usage text shows only names and descriptions.
  subCommands: Object.fromEntries(
    Object.entries(commands).map(([name, { description }]) => [
      name,
      { meta: { name, description } },
    ]),
  ),
});

/**
 * Runs the command line. `rawArgs` excludes the program's name. Sets the exit code and never
 * throws: errors go to standard error with their code.
 */
export async function main(rawArgs: string[]): Promise<void> {
  const [name = "", ...rest] = rawArgs;
  try {
    if (rawArgs.length === 0 || name === "--help" || name === "-h") {
      await showUsage(command);
      print(exitCodeHelp);
    } else if (name === "--version" || name === "-v") {
      print(manifest.version);
    } else {
      const { description, load } = findCommand(commands, name);
      const outer: AnyCommand = { ...(await load()), meta: { name, description } };
      const nested = outer.subCommands as Readonly<Record<string, AnyCommand>> | undefined;
      const isHelp = rest.some((word) => word === "--help" || word === "-h");
      const [second = "--help"] = rest;
      // With no further word, or with --help before a subcommand, help is about the outer command.
      const isOuter =
        nested === undefined || (second.startsWith("-") && isHelp) || rest.length === 0;
      const target = isOuter ? outer : findCommand(nested, second);
      const parent = target === outer ? "espalier" : `espalier ${name}`;
      if (isHelp) await showUsage(target, { meta: { name: parent } });
      else await runCommand(outer, { rawArgs: rest });
    }
  } catch (error) {
    printToStderr(describe(error));
    process.exitCode = isUsageError(error) ? exitCodes.misused : exitCodeOf(error);
  }
}

/** citty's own lookup finds `constructor` in every table and skips options before a command. */
function findCommand<TCommand>(table: Readonly<Record<string, TCommand>>, name: string): TCommand {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "usage-invalid",
    problem: name.startsWith("-")
      ? `A command must come before ${name}`
      : `Unknown command ${name}`,
    expected: Object.keys(table).join(", "),
    fix: "See espalier --help",
  });
}

function describe(error: unknown): string {
  if (EspalierError.isInstance(error)) return `espalier: ${error.code}: ${error.message}`;
  const { code, message } = failureOf(error);
  if (code === "aborted") return `espalier: ${code}: ${message}`;
  if (isUsageError(error)) {
    return `espalier: ${error.message.replace(/\.$/, "")}. See espalier --help.`;
  }
  return `espalier: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** An error that citty throws itself: an unknown command, a missing argument. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === "CLIError";
}
