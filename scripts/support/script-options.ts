import { parseArgs } from "node:util";

/** A script option, as `--help` shows it. */
export interface ScriptOption {
  readonly about: string;
  /** Placeholder for its value in the help, such as `FILE`. An option without one is a flag. */
  readonly value?: string;
  readonly preset?: string;
}

export interface ScriptHelp<TOption extends string> {
  /** As typed: `npm run bench:bm25`. */
  readonly command: string;
  /** One or two sentences. */
  readonly about: string;
  readonly options?: Readonly<Record<TOption, ScriptOption>>;
  /** Placeholder for the positional arguments in the help; absent if there are none. */
  readonly positionals?: string;
}

export interface ScriptArguments<TOption extends string> {
  readonly values: Readonly<Partial<Record<TOption, string>>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/**
 * Parses a script's command line. `--help` prints the help and exits with 0 before the script does
 * anything; an unknown option exits with 2.
 */
export function scriptOptions<TOption extends string = never>(
  help: ScriptHelp<TOption>,
  words: readonly string[] = process.argv.slice(2),
): ScriptArguments<TOption> {
  const options: Readonly<Record<string, ScriptOption>> = help.options ?? {};
  if (words.includes("--help") || words.includes("-h")) {
    console.log(helpText(help));
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value, preset }]) => [
          name,
          value === undefined
            ? { type: "boolean" as const }
            : { type: "string" as const, ...(preset !== undefined && { default: preset }) },
        ]),
      ),
      allowPositionals: help.positionals !== undefined,
    });
    const given = Object.entries(values);
    return {
      values: Object.fromEntries(
        given.filter(([, value]) => typeof value === "string"),
      ) as ScriptArguments<TOption>["values"],
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
      positionals,
    };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), help);
  }
}

/** Prints the problem and exits with 2. */
export function refuse(problem: string, { command }: { readonly command: string }): never {
  console.error(`${problem}\nSee \`${command} -- --help\`.`);
  process.exit(2);
}

function helpText({ command, about, options = {}, positionals }: ScriptHelp<string>): string {
  const rows = Object.entries<ScriptOption>({
    ...options,
    help: { about: "Show this help and exit" },
  }).map(([name, { about: meaning, value, preset }]) => ({
    option: `--${name}${value === undefined ? "" : ` ${value}`}`,
    meaning: preset === undefined ? meaning : `${meaning} (default ${preset})`,
  }));
  const width = Math.max(...rows.map(({ option }) => option.length));
  return [
    about,
    "",
    `Usage: ${command} -- [OPTIONS]${positionals === undefined ? "" : ` ${positionals}`}`,
    "",
    ...rows.map(({ option, meaning }) => `  ${option.padEnd(width)}  ${meaning}`),
  ].join("\n");
}
