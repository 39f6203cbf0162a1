import { withoutCredentials } from "../../internal/index.ts";

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
