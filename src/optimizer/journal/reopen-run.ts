import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { OptimizerEvent } from "../optimizer-event.ts";
import { openJsonlFile } from "./jsonl-file.ts";
import { runLock } from "./run-lock.ts";
import { wholeLines } from "./whole-lines.ts";
import type { WorkLine } from "./work-line.ts";

/**
 * Takes the end off a run that something outside ended, so that whoever resumes it goes on where it ended;
 * a run that ended otherwise, or has not ended, stays as it is. What the outside said last is answered by
 * "go on" instead, as if it had been asked too early.
 *
 * @returns whether the run is open again
 * @throws EspalierError `run-locked`, `file-malformed`
 */
export function reopenRun(folder: string): boolean {
  using _lock = runLock(folder);
  const path = join(folder, "journal.jsonl");
  const content = readFileSync(path);
  const { values, bytes } = wholeLines(path, content);
  const end = values.at(-1) as OptimizerEvent | undefined;
  if (end?.kind !== "run-end" || end.reason !== "stopper") return false;
  const work = openJsonlFile(join(folder, "work.jsonl"));
  try {
    const last = (work.existing as readonly WorkLine[]).findLast(({ kind }) => kind === "told");
    if (last?.kind !== "told" || typeof last.answer !== "string") return false;
    if (end.detail?.endsWith(last.answer) !== true) return false;
    // In this order a kill in between leaves a run that ends again as it did.
    truncateSync(path, content.lastIndexOf("\n", bytes - 2) + 1);
    const goOn: WorkLine = { kind: "told", question: last.question, answer: null };
    const notEnded: WorkLine = { kind: "last-standing", step: 0 };
    for (const line of [goOn, notEnded]) work.append(line);
    return true;
  } finally {
    work.close();
  }
}
