import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import { jsonOrUndefined, withoutCredentials } from "../../internal/index.ts";
import { foundServersFile } from "../../servers/index.ts";
import { readNamedFile, writeFileAtomic } from "../../storage/index.ts";
import { espalierCommand } from "../terminal/shell-command.ts";

/** Keeps a run's original options in a file, so that they need not be repeated to resume it. */
export interface OptionMemory<TName extends string> {
  /**
   * Saves the options that were given: those that affect the run, and how to reach its servers.
   */
  remember(
    path: string,
    given: Readonly<Partial<Record<TName | "servers", string | boolean | undefined>>>,
    rawArgs: readonly string[],
  ): Promise<void>;
  /**
   * The options that the run was started with and the command line omits, as words of one.
   *
   * @throws EspalierError `file-malformed`
   */
  recall(path: string, rawArgs: readonly string[]): Promise<readonly string[]>;
}

const format = "espalier-command/1";

/** Options that cap what a run may spend. */
export const capOptions = [
  "budget",
  "max-reflections",
  "max-lm-calls",
  "max-tool-calls",
  "max-tokens",
  "max-usd",
  "max-minutes",
  "prices",
] as const;

/** Options that say whom a run asks, and how. */
export const serverOptions = [
  "servers",
  "rehearsal",
  "lm",
  "lm-for",
  "model",
  "reflection-lm",
  "judge-lm",
  "concurrency",
  "patience",
  "max-completion-tokens",
  "cache",
  "cache-only",
] as const;

/** @param names of the options to remember */
export function optionMemory<const TName extends string>(
  names: readonly [TName, ...TName[]],
): OptionMemory<TName> {
  const commandFile = z.object({
    format: z.literal(format),
    options: z.partialRecord(z.enum(names), z.union([z.string(), z.boolean()])),
  });
  return {
    remember: async (path, given, rawArgs) => {
      const explicit = explicitOptions(rawArgs);
      const remembered = names
        .filter((name) => explicit.has(name))
        .map((name) => [name, rememberedValue(name, given[name])] as const);
      // Another folder may hold another servers file, or none.
      const servers = rememberedValue("servers", given.servers ?? foundServersFile() ?? "none");
      const content = { format, options: { ...Object.fromEntries(remembered), servers } };
      await writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`);
    },
    recall: async (path, rawArgs) => {
      // The run was not started from the command line.
      if (!existsSync(path)) return [];
      const problem = "Cannot read the file with the run's original options";
      const content = await readNamedFile(path, 2 ** 20, { problem, where: path });
      const parsed = commandFile.safeParse(jsonOrUndefined(content));
      if (!parsed.success) throw malformed(path, z.prettifyError(parsed.error));
      const explicit = explicitOptions(rawArgs);
      return Object.entries(parsed.data.options)
        .filter(([name]) => !explicit.has(name))
        .flatMap(([name, value]) => {
          if (typeof value === "string") return [`--${name}`, value];
          return [value === true ? `--${name}` : `--no-${name}`];
        });
    },
  };
}

function malformed(path: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file with the run's original options is malformed",
    where: path,
    expected: `{ "format": "${format}", "options": { "budget": "500" } }`,
    got,
    fix: "Remove it, and repeat all original options with --resume.",
  });
}

function explicitOptions(rawArgs: readonly string[]): ReadonlySet<string> {
  return new Set(rawArgs.flatMap((word) => /^--(?:no-)?([^=]+)/.exec(word)?.[1] ?? []));
}

/**
 * Makes paths absolute, so that the run can resume from any folder, and strips passwords from URLs.
 */
function rememberedValue<TValue>(name: string, value: TValue): TValue | string {
  if (/lm(-for)?$|^mlflow$|^otlp$|^redis$/.test(name) && typeof value === "string")
    return withPaths(withoutCredentials(value));
  const isPath = ["prices", "candidate", "cache", "servers"].includes(name);
  if (!isPath || typeof value !== "string") return value;
  return value === "none" || value.startsWith("mlflow:") ? value : resolve(value);
}

/** Makes the paths of `@FILE` addresses absolute, wherever they stand among others. */
function withPaths(addresses: string): string {
  return addresses.replaceAll(
    /(?<=^|[,=])@([^,#]+)/g,
    (_address, path: string) => `@${resolve(path)}`,
  );
}

/**
 * The shell command that resumes a run: the same words, without passwords in URLs, and with
 * --resume in place of --run.
 *
 * @param without further options to omit, with their values
 */
export function resumingCommand(
  command: string,
  rawArgs: readonly string[],
  { runFolder, without = [] }: { readonly runFolder: string; readonly without?: readonly string[] },
): string {
  const omitted = new Set(["resume", "run", ...without].map((name) => `--${name}`));
  const kept = rawArgs.filter((argument, index) => {
    const [name = ""] = argument.split("=");
    return !omitted.has(name) && !omitted.has(rawArgs[index - 1] ?? "");
  });
  return espalierCommand([command, ...kept, "--resume", runFolder]);
}
