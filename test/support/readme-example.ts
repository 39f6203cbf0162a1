import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The program in the README, as a user would copy it. */
export function readmeExample(): string {
  const page = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const [, code] = /<!-- example:[^]*?```ts\n([^]*?)```/.exec(page) ?? [];
  if (code === undefined) throw new Error("README.md has no example.");
  return code;
}
