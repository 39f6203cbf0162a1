import { styleText } from "node:util";

/** The part of citty's command definition that help reads. */
export interface HelpedCommand {
  readonly args?: Readonly<Record<string, HelpedArgument>>;
  readonly subCommands?: Readonly<
    Record<string, { readonly meta?: { readonly description?: string } }>
  >;
}

interface HelpedArgument {
  readonly type?: string;
  readonly description?: string;
  readonly negativeDescription?: string;
  readonly valueHint?: string;
  readonly options?: readonly string[];
  readonly default?: string | boolean | number | readonly string[];
  readonly required?: boolean;
}

type Row = readonly [name: string, about: string];

/**
 * The help of a command, wrapped at a number of columns.
 *
 * @param words as the command is typed: `espalier artifact add`
 */
export function helpText(
  words: string,
  { args = {}, subCommands = {} }: HelpedCommand,
  {
    about,
    examples,
    width,
    heading,
  }: {
    readonly about: string;
    readonly examples: readonly Row[];
    readonly width: number;
    /** Makes a heading stand out, where the output can show that. */
    readonly heading: (text: string) => string;
  },
): string {
  const [positional, options] = [true, false].map((isPlace) =>
    Object.entries(args).filter(([, { type }]) => (type === "positional") === isPlace),
  ) as [[string, HelpedArgument][], [string, HelpedArgument][]];
  const nested = Object.entries(subCommands).map(([name, { meta }]): Row => [
    name,
    meta?.description ?? "",
  ]);
  const usage = [
    words,
    ...(options.length > 0 ? ["[OPTIONS]"] : []),
    ...options
      .filter(([, { required }]) => required)
      .map(([name, given]) => optionName(name, given)),
    ...positional.map(([name, { valueHint = name.toUpperCase(), ...given }]) =>
      isRequired(given) ? `<${valueHint}>` : `[${valueHint}]`,
    ),
    ...(nested.length > 0 ? [`<COMMAND> [OPTIONS]`] : []),
  ].join(" ");
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", heading(title), "", ...lines];
  return [
    ...wrapped(`${about} (${words})`, width),
    "",
    ...wrapped(`${heading("USAGE")} ${usage}`, width, "      "),
    ...section("COMMANDS", rowLines(nested, width)),
    ...section("ARGUMENTS", rowLines(positional.map(placeRow), width)),
    ...section(
      "EXAMPLES",
      examples.flatMap((example) => exampleLines(example, width)),
    ),
    ...section("OPTIONS", rowLines(options.flatMap(optionRows), width)),
    ...(nested.length > 0
      ? [
          "",
          `More about a command: espalier help ${words.slice("espalier ".length)}${words === "espalier" ? "" : " "}COMMAND`,
        ]
      : []),
  ].join("\n");
}

/** Bold on a terminal, plain where output goes to a file or colour is unwanted. */
export function boldHeading(text: string): string {
  const { stdout, env } = process;
  const isWanted = stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return isWanted ? styleText("bold", text, { validateStream: false }) : text;
}

/** Longer names have their description below. */
const longestName = 26;

function rowLines(rows: readonly Row[], width: number): readonly string[] {
  const lengths = rows.map(([{ length }]) => length).filter((length) => length <= longestName);
  const isNarrow = width < 60;
  const column = isNarrow ? 6 : 4 + Math.max(0, ...lengths);
  return rows.flatMap(([name, about]) => {
    const margin = " ".repeat(column);
    const lines = wrapped(about, width - column).map((line) => `${margin}${line}`);
    const isBeside = !isNarrow && name.length <= longestName;
    if (!isBeside) return [`  ${name}`, ...lines];
    const [first = ""] = lines;
    return [`  ${name}${first.slice(2 + name.length)}`.trimEnd(), ...lines.slice(1)];
  });
}

function exampleLines([words, about]: Row, width: number): readonly string[] {
  // A command is one line even where it is wider: broken, it could not be pasted.
  return [...wrapped(about, width - 4).map((line) => `  # ${line}`), `  espalier ${words}`];
}

/** citty requires a positional argument unless it says otherwise or has a default. */
function isRequired({ required, default: preset }: HelpedArgument): boolean {
  return required ?? preset === undefined;
}

function placeRow([name, argument]: readonly [string, HelpedArgument]): Row {
  const { valueHint = name.toUpperCase(), description = "" } = argument;
  return [valueHint, `${description}${presetText(argument)}`];
}

function optionRows([name, argument]: readonly [string, HelpedArgument]): readonly Row[] {
  const { type, description = "", negativeDescription, default: preset } = argument;
  // Of a switch that is on, only its negation changes anything.
  if (type === "boolean" && preset === true) {
    return [[`--no-${name}`, negativeDescription ?? description]];
  }
  const required = argument.required === true ? " (required)" : "";
  return [[optionName(name, argument), `${description}${required}${presetText(argument)}`]];
}

function optionName(name: string, { type, valueHint, options }: HelpedArgument): string {
  if (type === "boolean") return `--${name}`;
  return `--${name} ${valueHint ?? options?.join("|") ?? name.toUpperCase()}`;
}

function presetText({ default: preset }: HelpedArgument): string {
  const isWorthSaying = preset !== undefined && typeof preset !== "boolean" && preset !== "";
  return isWorthSaying ? ` (default: ${preset.toString()})` : "";
}

/**
 * A text in lines of at most `width` columns, broken between words; a longer word has a line of its
 * own.
 *
 * @param margin of every line but the first, within the width
 */
function wrapped(text: string, width: number, margin = ""): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && longer.length > width) {
      lines.push(line);
      line = `${margin}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
