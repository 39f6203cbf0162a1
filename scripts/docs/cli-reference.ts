import { commands, examples } from "../../src/cli/commands.ts";

/** The part of citty's command definition that the commands use. */
interface Argument {
  readonly type?: string;
  readonly description?: string;
  readonly negativeDescription?: string;
  readonly valueHint?: string;
  readonly default?: string | boolean | number | readonly string[];
  readonly required?: boolean;
}

interface Command {
  readonly meta?: { readonly description?: string };
  readonly args?: Readonly<Record<string, Argument>>;
  readonly subCommands?: Readonly<Record<string, Command>>;
}

/** An option that several commands define alike. */
interface SharedOption {
  readonly option: string;
  readonly argument: Argument;
  readonly defaults: ReadonlySet<string>;
}

/** The page of all commands, generated from their definitions. */
export async function cliReference(): Promise<string> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { description, load }]) => ({
      name: `espalier ${name}`,
      description,
      command: (await load()) as Command,
    })),
  );
  const shared = sharedOptions(loaded.flatMap(({ command }) => argumentsOf(command)));
  return [
    "# Commands",
    "",
    "Every command has `--help`; `npm run docs:cli` writes this page from it.",
    "All commands share the same [exit codes](../guide/getting-started.md#exit-codes).",
    "",
    "## Shared options",
    "",
    "Each command lists the shared options it takes, with its default where defaults differ. A command's own description takes precedence.",
    "",
    ...sharedList([...shared.values()]),
    ...loaded.flatMap(({ name, description, command }) =>
      section(name, description, command, 2, shared),
    ),
    "",
  ].join("\n");
}

/** The arguments of a command without subcommands, or of each of its subcommands. */
function argumentsOf({
  args = {},
  subCommands = {},
}: Command): readonly Readonly<Record<string, Argument>>[] {
  const nested = Object.values(subCommands).flatMap(argumentsOf);
  return nested.length > 0 ? nested : [args];
}

function sharedOptions(
  all: readonly Readonly<Record<string, Argument>>[],
): ReadonlyMap<string, SharedOption> {
  const found = Map.groupBy(
    all.flatMap((args) => Object.entries(args).filter(([, { type }]) => type !== "positional")),
    ([option, argument]) => definitionOf(option, argument),
  );
  // Two commands share an option unless others define it differently.
  const isOnly = ([one]: readonly (readonly [string, Argument])[]) =>
    [...found.values()].filter(([other]) => other?.[0] === one?.[0]).length === 1;
  return new Map(
    [...found]
      .filter(([, alike]) => alike.length > 2 || (alike.length === 2 && isOnly(alike)))
      .toSorted(([, [one]], [, [other]]) => (one?.[0] ?? "").localeCompare(other?.[0] ?? ""))
      .flatMap(([definition, alike]) => {
        const [first] = alike;
        if (first === undefined) return [];
        const [option, argument] = first;
        const defaults = new Set(alike.map(([, one]) => defaultOf(one)));
        return [[definition, { option, argument, defaults }] as const];
      }),
  );
}

function definitionOf(option: string, argument: Argument): string {
  return JSON.stringify([shownAs(option, argument), meaning(argument)]);
}

function section(
  name: string,
  description: string,
  command: Command,
  level: number,
  shared: ReadonlyMap<string, SharedOption>,
): string[] {
  const { args = {}, subCommands = {} } = command;
  const nested = Object.entries(subCommands).flatMap(([word, sub]) =>
    section(`${name} ${word}`, sub.meta?.description ?? "", sub, level + 1, shared),
  );
  return [
    "",
    `${"#".repeat(level)} ${name}`,
    "",
    `${description}.`,
    ...(nested.length > 0
      ? []
      : [...usage(name, args), ...exampleBlock(name), ...optionList(args, shared)]),
    ...nested,
  ];
}

function exampleBlock(name: string): readonly string[] {
  const own = examples[name.slice("espalier ".length)] ?? [];
  const lines = own.map(([words, about]) => `npx espalier ${words}    # ${about}`);
  return lines.length === 0 ? [] : ["", "```sh", ...lines, "```"];
}

/** What must be given, and what may be beside options. */
function usage(name: string, args: Readonly<Record<string, Argument>>): readonly string[] {
  const words = Object.entries(args).flatMap(([option, argument]) => {
    const { type, required = false } = argument;
    if (type === "positional") {
      // citty requires a positional argument unless it says otherwise or has a default.
      const isNeeded = argument.required ?? argument.default === undefined;
      return [isNeeded ? hint(option, argument) : `[${hint(option, argument)}]`];
    }
    return required ? [`--${option} ${hint(option, argument)}`] : [];
  });
  return words.length === 0 ? [] : ["", `\`${[name, ...words].join(" ")}\``];
}

function optionList(
  args: Readonly<Record<string, Argument>>,
  shared: ReadonlyMap<string, SharedOption>,
): readonly string[] {
  const isOwn = ([option, argument]: readonly [string, Argument]) =>
    argument.type === "positional" || !shared.has(definitionOf(option, argument));
  const isPositional = ([, { type }]: readonly [string, Argument]) => type === "positional";
  const entries = Object.entries(args).toSorted(
    (one, other) => Number(isPositional(other)) - Number(isPositional(one)),
  );
  const own = entries
    .filter(isOwn)
    .map(([option, argument]) =>
      item(shownAs(option, argument), meaning(argument), defaultOf(argument)),
    );
  const others = entries
    .filter((entry) => !isOwn(entry))
    .map(([option, argument]) => {
      const isSameForAll = shared.get(definitionOf(option, argument))?.defaults.size === 1;
      const preset = isSameForAll ? "" : defaultOf(argument);
      return `\`--${option}\`${preset === "" ? "" : ` (${preset})`}`;
    });
  if (others.length > 0) own.push(`- [Shared](#shared-options): ${others.join(", ")}`);
  return own.length === 0 ? [] : ["", ...own];
}

/** An option that commands define in several ways is listed once, with all meanings. */
function sharedList(all: readonly SharedOption[]): readonly string[] {
  const alike = Map.groupBy(all, ({ option, argument }) => shownAs(option, argument));
  return [...alike].map(([shown, options]) => {
    const defaults = new Set(options.flatMap((each) => [...each.defaults]));
    const [only = ""] = defaults.size === 1 ? defaults : [];
    return item(
      shown,
      options.map(({ argument }) => meaning(argument)).join(". In some commands: "),
      only,
    );
  });
}

function item(shown: string, about: string, preset: string): string {
  return `- ${shown}: ${about}${preset === "" ? "" : ` (default ${preset})`}`;
}

/** Only the negation of a switch that is on changes anything. */
function isSwitchedOn({ type, default: preset }: Argument): boolean {
  return type === "boolean" && preset === true;
}

function shownAs(option: string, argument: Argument): string {
  if (isSwitchedOn(argument)) return `\`--no-${option}\``;
  if (argument.type === "positional") return `\`${hint(option, argument)}\``;
  return `\`--${option}${argument.type === "boolean" ? "" : ` ${hint(option, argument)}`}\``;
}

function meaning(argument: Argument): string {
  const { description = "", negativeDescription } = argument;
  return cell(isSwitchedOn(argument) ? (negativeDescription ?? description) : description);
}

function defaultOf(argument: Argument): string {
  const { default: preset } = argument;
  const isWorthSaying = preset !== undefined && preset !== false && preset !== "";
  return isWorthSaying && !isSwitchedOn(argument) ? `\`${preset.toString()}\`` : "";
}

function hint(name: string, { valueHint }: Argument): string {
  return valueHint ?? name.toUpperCase();
}

/** Escapes what Markdown or the site's compiler would interpret: `<`, `{{`, `*`. */
function cell(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll("{{", "{&#123;").replaceAll("*", "\\*");
}
