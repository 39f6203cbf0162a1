import type { AnyCommand } from "./arguments/arguments.ts";
import { defineCommand, runCommand, showUsage } from "citty";
import { EspalierError, failureOf } from "../errors/index.ts";
import { commands } from "./commands.ts";
import { exitCodeHelp, exitCodeOf, exitCodes } from "./arguments/exit-code.ts";
import { manifest } from "./arguments/manifest.ts";
import { print, tell } from "./terminal/terminal.ts";

const command = defineCommand({
  meta: { name: "espalier", version: manifest.version, description: manifest.description },
  // For the usage, which shows no more of them.
  subCommands: Object.fromEntries(
    Object.entries(commands).map(([name, { description }]) => [
      name,
      { meta: { name, description } },
    ]),
  ),
});

/**
 * Runs the command line; `rawArgs` comes without the name of the program. Sets the exit code and
 * never throws: an error is printed, with its code, on standard error.
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
      const { description, load } = named(commands, name);
      const chosen: AnyCommand = { ...(await load()), meta: { name, description } };
      const nested = chosen.subCommands as Readonly<Record<string, AnyCommand>> | undefined;
      const isHelp = rest.some((word) => word === "--help" || word === "-h");
      const [second = "--help"] = rest;
      // Without a further word, and for help on all of them, the outer command itself is meant.
      const isOuter =
        nested === undefined || (second.startsWith("-") && isHelp) || rest.length === 0;
      const meant = isOuter ? chosen : named(nested, second);
      const parent = meant === chosen ? "espalier" : `espalier ${name}`;
      if (isHelp) await showUsage(meant, { meta: { name: parent } });
      else await runCommand(chosen, { rawArgs: rest });
    }
  } catch (error) {
    tell(describe(error));
    process.exitCode = isUsageError(error) ? exitCodes.misused : exitCodeOf(error);
  }
}

/** The parser would find `constructor` in any table, and pass over options before a command. */
function named<TCommand>(table: Readonly<Record<string, TCommand>>, name: string): TCommand {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "usage-invalid",
    problem: name.startsWith("-")
      ? `A command comes before ${name}`
      : `There is no command ${name}`,
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

/** citty's own complaints: an unknown command, a missing argument. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === "CLIError";
}
