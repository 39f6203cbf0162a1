import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { jsonOrUndefined, withoutCredentials } from "../../internal/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";
import { runFolderFiles, runIn } from "../../optimizer/files.ts";
import { budgetArguments } from "./budget-arguments.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";
import { tell } from "../terminal/terminal.ts";

const options = [
  ...(Object.keys(budgetArguments) as (keyof typeof budgetArguments)[]),
  "trainset",
  "candidate",
  "seed",
  "search-repeats",
  "measure-latency",
  "lm",
  "model",
  "reflection-lm",
  "reflection-model",
  "judge-lm",
  "judge-model",
  "concurrency",
  "attempts",
  "max-retry-after",
  "stall-timeout",
  "cache",
  "repeats",
  "stop-file",
] as const satisfies readonly (keyof OptimizeGiven)[];

const format = "espalier-command/1";
const commandFile = z.object({
  format: z.literal(format),
  options: z.partialRecord(z.enum(options), z.union([z.string(), z.boolean()])),
});

/**
 * Writes beside the journal of a run that begins which options it begins with: those that the run depends
 * on, and how its servers are reached. Keeps hands off a folder that holds a run.
 */
export async function rememberOptions(
  runFolder: string,
  given: OptimizeGiven,
  rawArgs: readonly string[],
): Promise<void> {
  const { hasJournal, hasWork } = runIn(runFolder);
  if (hasJournal || hasWork) return;
  const said = saidIn(rawArgs);
  const remembered = options
    .filter((name) => said.has(name))
    .map((name) => [name, asKept(name, given[name])] as const);
  const content = { format, options: Object.fromEntries(remembered) };
  await writeFileAtomic(runFolderFiles(runFolder).command, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * The words of a command line, and before them the options that it leaves out and its run began with.
 *
 * @throws EspalierError `file-malformed`
 */
export async function withRememberedOptions(
  rawArgs: readonly string[],
  runFolder: string | undefined,
): Promise<readonly string[]> {
  if (runFolder === undefined) return rawArgs;
  const path = runFolderFiles(runFolder).command;
  // A run that no command line began.
  if (!existsSync(path)) return rawArgs;
  const parsed = commandFile.safeParse(jsonOrUndefined(await contentOf(path)));
  if (!parsed.success) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file of the options that the run was begun with cannot be read",
      where: path,
      expected: `{ "format": "${format}", "options": { "budget": "500" } }`,
      got: z.prettifyError(parsed.error),
      fix: "Remove it, and give --resume with all options that the run was begun with.",
    });
  }
  const said = saidIn(rawArgs);
  const words = Object.entries(parsed.data.options)
    .filter(([name]) => !said.has(name))
    .flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, String(value)]));
  if (words.length > 0) tell(`as the run was begun: ${words.join(" ")}`);
  return [...words, ...rawArgs];
}

function saidIn(rawArgs: readonly string[]): ReadonlySet<string> {
  return new Set(rawArgs.flatMap((word) => /^--(?:no-)?([^=]+)/.exec(word)?.[1] ?? []));
}

/** Paths that hold wherever the run is gone on with; addresses without their passwords. */
function asKept<TValue>(name: string, value: TValue): TValue | string {
  if (name.endsWith("lm") && typeof value === "string") return withoutCredentials(value);
  const isPath = ["prices", "candidate", "cache", "stop-file"].includes(name);
  return isPath && typeof value === "string" && value !== "none" ? resolve(value) : value;
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFileWithin(path, 2 ** 20);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: "The file of the options that the run was begun with cannot be read",
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
}

/**
 * The same words for a shell, without the passwords of addresses, and with the run's folder in place of what named one.
 *
 * @param without further options to leave out, with their values
 */
export function commandToResume(
  rawArgs: readonly string[],
  runFolder: string,
  without: readonly string[] = [],
): string {
  const left = new Set(["resume", "run", ...without].map((name) => `--${name}`));
  const kept = rawArgs.filter((argument, place) => {
    const [name = ""] = argument.split("=");
    return !left.has(name) && !left.has(rawArgs[place - 1] ?? "");
  });
  return ["espalier", "optimize", ...kept, "--resume", runFolder]
    .map((word) => quoted(withoutCredentials(word)))
    .join(" ");
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
