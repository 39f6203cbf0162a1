import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { comparisonIn } from "./page-comparison.ts";
import type { CliResult } from "./run-cli.ts";

/** A secret as it is, and as addresses, headers and JSON carry it. */
const formsOf = (secret: string): readonly string[] => {
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    encodeURIComponent(secret),
    base64,
    base64.replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
  ];
};

type Texts = Readonly<Record<string, string>>;

/** Which secret stands in which text, in whatever form. */
export function leaksOf(secrets: Texts, texts: Texts): readonly string[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      formsOf(secret).some((form) => text.includes(form)) ? [`${name} in ${where}`] : [],
    ),
  );
}

/** Every file below a folder, by its path there; a report's page with what it holds packed. */
export async function filesBelow(folder: string): Promise<Texts> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const content = await readFile(path, "latin1");
    const held = name.endsWith(".html") ? (comparisonIn(content) ?? "") : "";
    return [path.slice(folder.length + 1), content + held] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

/** What commands printed, by their name. */
export function textsOf(results: Readonly<Record<string, CliResult>>): Texts {
  return Object.fromEntries(
    Object.entries(results).flatMap(([command, { stdout, stderr }]) => [
      [`stdout of ${command}`, stdout],
      [`stderr of ${command}`, stderr],
    ]),
  );
}
