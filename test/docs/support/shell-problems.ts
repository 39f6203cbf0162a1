import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../src/cli/commands.ts";

/** Of other projects, or of the system: what they are given is not looked at. */
const foreign = new Set(["cd", "curl", "git", "mv", "pip", "touch", "vllm"]);

/** What npm itself knows, beside `run`. */
const npmCommands = new Set(["ci", "install", "pack", "test"]);

/** A sentence for each command, script, option or file of a shell block that does not exist. */
export async function shellProblems(block: string, repository: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const line of block.replaceAll("\\\n", " ").split("\n")) {
    for (const words of commandsIn(line)) problems.push(...(await problemsOf(words, repository)));
  }
  return problems;
}

async function problemsOf(
  words: readonly string[],
  repository: string,
): Promise<readonly string[]> {
  const [first = "", second = "", ...rest] = words;
  if (first.startsWith("ESPALIER_")) return problemsOf(words.slice(1), repository);
  if (foreign.has(first)) return [];
  if (first === "npm") return npmProblems(second, rest, repository);
  if (first === "espalier") return espalierProblems([second, ...rest]);
  if (first === "npx" && second === "espalier") return espalierProblems(rest);
  if (first === "npx" && second === "tsx") {
    const [file = "", ...given] = rest.filter((word) => !word.startsWith("--conditions="));
    if (!existsSync(join(repository, file))) return [`There is no file ${file}`];
    return file === "src/cli/bin.ts" ? espalierProblems(given) : [];
  }
  if (first === "npx" && second === "vitest") {
    const missing = rest.slice(1).filter((path) => !existsSync(join(repository, path)));
    return missing.map((path) => `There is no ${path}`);
  }
  if (first === "npx" && second === "tsc") return [];
  return [`Nothing is known of the command ${first} ${second}`];
}

function npmProblems(
  command: string,
  [script = ""]: readonly string[],
  repository: string,
): readonly string[] {
  if (npmCommands.has(command)) return [];
  if (command !== "run") return [`npm ${command} is not known`];
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return Object.hasOwn(scripts, script) ? [] : [`There is no npm script ${script}`];
}

interface Definition {
  readonly args?: Readonly<
    Record<
      string,
      { readonly type?: string; readonly default?: unknown; readonly valueHint?: string }
    >
  >;
  readonly subCommands?: Readonly<Record<string, Definition>>;
}

async function espalierProblems([name = "", ...rest]: readonly string[]): Promise<
  readonly string[]
> {
  if (name === "--help" || name === "--version") return [];
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (listed === undefined) return [`There is no command espalier ${name}`];
  let command = (await listed.load()) as Definition;
  let words = rest;
  if (command.subCommands !== undefined) {
    const [sub = "", ...others] = rest;
    const nested = Object.hasOwn(command.subCommands, sub) ? command.subCommands[sub] : undefined;
    if (nested === undefined) return [`There is no command espalier ${name} ${sub}`];
    [command, words] = [nested, others];
  }
  return optionProblems(command, words);
}

function optionProblems({ args = {} }: Definition, words: readonly string[]): readonly string[] {
  const problems: string[] = [];
  let positionals = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("--")) {
      positionals++;
      continue;
    }
    const option = word.slice(2);
    const positive = option.replace(/^no-/, "");
    const known = Object.hasOwn(args, option) ? args[option] : args[positive];
    if (option === "help") continue;
    if (known === undefined || known.type === "positional")
      problems.push(`There is no option ${word}`);
    else if (known.type !== "boolean") {
      const value = words[++at];
      if (value === undefined || value.startsWith("--")) problems.push(`${word} takes a value`);
    }
  }
  const taken = Object.values(args).filter(({ type }) => type === "positional");
  const isEndless = taken.some(({ valueHint }) => valueHint?.endsWith("...") === true);
  const most = isEndless ? Infinity : taken.length;
  if (positionals > most) problems.push(`${positionals} arguments, where ${most} are taken`);
  return problems;
}

/** The commands of a line, each as its words; what stands in quotes is one word. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const [, quoted, plain = ""] of line.matchAll(/'([^']*)'|"[^"]*"|(#.*|&&|\||;|[^\s;|]+)/g)) {
    if (plain.startsWith("#")) break;
    if (["&&", "|", ";"].includes(plain)) found.push([]);
    else found.at(-1)?.push(plain === "" ? (quoted ?? "quoted") : plain);
  }
  return found.filter((words) => words.length > 0);
}
