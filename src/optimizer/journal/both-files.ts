import { existsSync } from "node:fs";
import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { checkEvents } from "./check-events.ts";
import type { JsonlFile } from "./jsonl-file.ts";
import { openJsonlFile } from "./jsonl-file.ts";

/** What was decided, and what was done. */
export interface BothFiles {
  readonly journal: JsonlFile;
  readonly work: JsonlFile;
}

/** Opens the files of a run, and makes what is absent. Whoever calls it holds the folder's lock. */
export function openBothFiles(folder: string): BothFiles & Disposable {
  const work = openJsonlFile(join(folder, "work.jsonl"));
  try {
    // What was decided must never be known without what was done before it.
    const journal = openJsonlFile(join(folder, "journal.jsonl"), { after: work });
    try {
      checkEvents(journal.path, journal.existing);
    } catch (error) {
      journal.close();
      throw error;
    }
    return {
      journal,
      work,
      [Symbol.dispose]: () => {
        journal.close();
        work.close();
      },
    };
  } catch (error) {
    work.close();
    throw error;
  }
}

/**
 * Refuses a folder without a run, before a lock is left in it.
 *
 * @throws EspalierError `file-missing`
 */
export function checkHoldsRun(folder: string): void {
  if (existsSync(join(folder, "journal.jsonl"))) return;
  throw new EspalierError({
    code: "file-missing",
    problem: "There is no run to resume",
    where: folder,
    expected: "a folder with `journal.jsonl` and `work.jsonl`",
    fix: "Begin the run without `resume`.",
  });
}
