import type { AnyCommand } from "./arguments.ts";
import { defineCommand, runCommand, showUsage } from "citty";
import { EspalierError } from "../errors/index.ts";
import { corpusSubcommand } from "./corpus-command.ts";
import { evalSubcommand } from "./eval-command.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { manifest } from "./manifest.ts";
import { optimizeSubcommand } from "./optimize-command.ts";
import { runSubcommand } from "./run-command.ts";
import { showSubcommand } from "./show-command.ts";

const subCommands: Readonly<Record<string, AnyCommand>> = {
  corpus: corpusSubcommand,
  eval: evalSubcommand,
  optimize: optimizeSubcommand,
  run: runSubcommand,
  show: showSubcommand,
};

const command = defineCommand({
  meta: { name: "espalier", version: manifest.version, description: manifest.description },
  subCommands,
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
    } else if (name === "--version" || name === "-v") {
      console.log(manifest.version);
    } else if (
      subCommands[name] !== undefined &&
      rest.some((word) => word === "--help" || word === "-h")
    ) {
      await showUsage(nestedCommand(subCommands[name], rest), command);
    } else {
      await runCommand(command, { rawArgs });
    }
  } catch (error) {
    console.error(describe(error));
    process.exitCode = isUsageError(error) ? exitCodes.misused : exitCodeOf(error);
  }
}

/** `corpus build --help` is about `build`. */
function nestedCommand(outer: AnyCommand, [name = ""]: readonly string[]): AnyCommand {
  return (outer.subCommands as Readonly<Record<string, AnyCommand>> | undefined)?.[name] ?? outer;
}

function describe(error: unknown): string {
  if (EspalierError.isInstance(error)) return `espalier: ${error.code}: ${error.message}`;
  if (isUsageError(error)) {
    return `espalier: ${error.message.replace(/\.$/, "")}. See espalier --help.`;
  }
  return `espalier: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** citty's own complaints: an unknown command, a missing argument. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === "CLIError";
}
