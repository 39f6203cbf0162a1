import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkLine } from "../../src/optimizer/run-folder/journal-lines.ts";

/** The decisions in a run's journal, as they are written: the same in two runs of one course. */
export function decisionsIn(runFolder: string): string {
  return linesOf(runFolder).filter(isDecision).join("\n");
}

/** What was done, in order. */
export function workIn(runFolder: string): readonly WorkLine[] {
  const work = linesOf(runFolder).filter((line) => !isDecision(line));
  return work.map((line) => JSON.parse(line) as WorkLine);
}

export function isDecision(line: string): boolean {
  return line.startsWith('{"sequence":');
}

/** But for a last line that a kill cut off. */
function linesOf(runFolder: string): readonly string[] {
  return readFileSync(join(runFolder, "journal.jsonl"), "utf8").split("\n").slice(0, -1);
}
