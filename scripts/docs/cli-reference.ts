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

/** The page of all commands, generated from their definitions. */
export async function cliReference(): Promise<string> {
  const sections: string[] = [];
  for (const [name, { description, load }] of Object.entries(commands)) {
    sections.push(...section(`espalier ${name}`, description, (await load()) as Command, 2));
  }
  return [
    "# Commands",
    "",
    "Every command has `--help`; `npm run docs:cli` writes this page from the same definitions.",
    "All commands share the same [exit codes](../guide/getting-started.md#exit-codes).",
    ...sections,
    "",
  ].join("\n");
}

function section(name: string, description: string, command: Command, level: number): string[] {
  const { args = {}, subCommands = {} } = command;
  const nested = Object.entries(subCommands).flatMap(([word, sub]) =>
    section(`${name} ${word}`, sub.meta?.description ?? "", sub, level + 1),
  );
  return [
    "",
    `${"#".repeat(level)} ${name}`,
    "",
    `${description}.`,
    ...(nested.length > 0
      ? []
      : ["", "```text", usage(name, args), "```", ...exampleBlock(name), ...optionTable(args)]),
    ...nested,
  ];
}

function exampleBlock(name: string): readonly string[] {
  const own = examples[name.slice("espalier ".length)] ?? [];
  const lines = own.map(([words, about]) => `npx espalier ${words}    # ${about}`);
  return lines.length === 0 ? [] : ["", "```sh", ...lines, "```"];
}

function usage(name: string, args: Readonly<Record<string, Argument>>): string {
  const words = Object.entries(args).flatMap(([option, argument]) => {
    const { type, required = false } = argument;
    if (type === "positional") {
      // citty requires a positional argument unless it says otherwise or has a default.
      const isNeeded = argument.required ?? argument.default === undefined;
      return [isNeeded ? hint(option, argument) : `[${hint(option, argument)}]`];
    }
    return required ? [`--${option} ${hint(option, argument)}`] : [];
  });
  return [name, ...words, "[OPTIONS]"].join(" ");
}

function optionTable(args: Readonly<Record<string, Argument>>): readonly string[] {
  if (Object.keys(args).length === 0) return [];
  return [
    "",
    "| argument | meaning | default |",
    "| --- | --- | --- |",
    ...Object.entries(args).map(([option, argument]) => {
      const { type, description = "", negativeDescription, default: preset } = argument;
      // A switch that is on: only its negation changes anything.
      if (type === "boolean" && preset === true) {
        return `| \`--no-${option}\` | ${cell(negativeDescription ?? description)} |  |`;
      }
      const shown =
        type === "positional"
          ? hint(option, argument)
          : `--${option}${type === "boolean" ? "" : ` ${hint(option, argument)}`}`;
      const isWorthSaying = preset !== undefined && preset !== false && preset !== "";
      return `| \`${shown}\` | ${cell(description)} | ${isWorthSaying ? `\`${preset.toString()}\`` : ""} |`;
    }),
  ];
}

function hint(name: string, { valueHint }: Argument): string {
  return valueHint ?? name.toUpperCase();
}

/** Escapes what a table or the site's compiler would interpret: `|`, `<`, `{{`. */
function cell(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll("{{", "{&#123;")
    .replaceAll("*", "\\*");
}
