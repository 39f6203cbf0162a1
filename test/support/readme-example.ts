import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { townQuestionsJsonl } from "./town-questions.ts";

/** The program in the README, as a user would copy it. */
export function readmeExample(): string {
  const page = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const [, code] = /<!-- file: answerer[.]ts -->\s*```ts\n([^]*?)```/.exec(page) ?? [];
  if (code === undefined) throw new Error("README.md has no example.");
  return code;
}

/**
 * Writes the program and its three files into a folder: `count` examples of val, some of the
 * others.
 */
export function writeReadmeExample(folder: string, count: number): void {
  writeFileSync(join(folder, "answerer.ts"), readmeExample());
  writeFileSync(join(folder, "val.jsonl"), townQuestionsJsonl(count));
  for (const split of ["train", "test"]) {
    // No id may stand in two splits.
    const rows = townQuestionsJsonl(10).replaceAll('{"id":"q', `{"id":"${split}-q`);
    writeFileSync(join(folder, `${split}.jsonl`), rows);
  }
}
