import { join, resolve } from "node:path";
import { withoutCredentials } from "../../internal/index.ts";

/** An `espalier` command that runs as it is printed, from a checkout or an installed package. */
export function espalierCommand(words: readonly string[]): string {
  return shellWords([...beginning(), ...words]);
}

function beginning(): readonly string[] {
  if (import.meta.filename.endsWith(".js")) return ["npx", "espalier"];
  const root = resolve(import.meta.dirname, "../../..");
  // npm runs a script in the folder of its package.json.
  if (process.cwd() === root) return ["npm", "run", "espalier", "--"];
  return [process.execPath, "--conditions=espalier:source", join(root, "src/cli/bin.ts")];
}

/** Words as a command for a shell, without passwords in URLs. */
function shellWords(words: readonly string[]): string {
  return words.map((word) => quoted(withoutCredentials(word))).join(" ");
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
