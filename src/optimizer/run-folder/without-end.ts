import { truncateSync } from "node:fs";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { BothFiles } from "./both-files.ts";
import { runFolderFiles } from "./run-folder.ts";
import type { WorkLine } from "./line/work-line.ts";

/**
 * Removes the end of a run that an outside event ended. The last outside answer is replaced by "go
 * on", as if the question had come too early. The caller holds the folder's lock.
 *
 * @returns the files as they are now; `null`, with the files unchanged, for a run that ended
 *   otherwise or has not ended
 */
export function withoutEnd(folder: string, { journal, work }: BothFiles): BothFiles | null {
  const end = journal.existing.at(-1) as OptimizerEvent | undefined;
  if (end?.kind !== "run-end" || end.reason !== "stopper") return null;
  const goOn = goOnAfter(end.detail, work.existing as readonly WorkLine[]);
  if (goOn === null) return null;
  // In this order, a kill in between leaves a run that ends again as it did.
  const kept = endOf(journal.existing as readonly OptimizerEvent[]);
  truncateSync(runFolderFiles(folder).journal, journal.lineStarts[kept]);
  work.append(goOn);
  return {
    journal: { ...journal, existing: journal.existing.slice(0, kept) },
    work: { ...work, existing: [...work.existing, goOn] },
  };
}

/** What replaces the last outside answer, if that is what ended the run. */
function goOnAfter(detail: string | undefined, lines: readonly WorkLine[]): WorkLine | null {
  const stopped = lines.findLast(({ kind }) => kind === "stopped");
  if (stopped?.kind === "stopped" && stopped.reason !== null && stopped.reason === detail) {
    return { kind: "stopped", asked: stopped.asked, reason: null };
  }
  const last = lines.findLast(({ kind }) => kind === "told");
  if (last?.kind !== "told" || typeof last.answer !== "string") return null;
  if (detail?.endsWith(last.answer) !== true) return null;
  return { kind: "told", question: last.question, answer: null };
}

/** Where that begins which a search emits because it ends. */
function endOf(events: readonly OptimizerEvent[]): number {
  const stopped = events.findLastIndex(({ kind }) => kind === "search-stopped");
  return stopped >= 0 ? stopped : events.findLastIndex((event) => !isOfEnd(event)) + 1;
}

/** A search that goes on decides these otherwise. */
function isOfEnd({ kind }: OptimizerEvent): boolean {
  return kind === "run-end" || kind === "demonstrations-credited" || kind === "candidate-refused";
}
