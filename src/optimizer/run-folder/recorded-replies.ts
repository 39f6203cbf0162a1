import { dirname } from "node:path";
import type { LanguageModel, LmRole } from "../../contract/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import { journalled } from "./journalled.ts";
import { openJsonlFile } from "../../storage/index.ts";
import { runLock } from "./run-lock.ts";
import { workLog } from "./work-log.ts";

/** A language model that never asks again for a reply it has written down. */
export interface RecordedReplies extends Disposable {
  readonly lm: LanguageModel;
  /** What went to a server, by role, over all processes that wrote to the file. */
  billed(): { readonly [Role in LmRole]?: LedgerEntry["billed"] };
}

/**
 * Keeps replies in a file of their own, each before it is used: for what belongs to a run but not
 * to its budget, as the report on the test split does. Holds the folder's lock, as a run does.
 *
 * @throws EspalierError `run-locked`
 */
export function recordedReplies(lm: LanguageModel, path: string): RecordedReplies {
  const lock = runLock(dirname(path));
  try {
    const file = openJsonlFile(path, { isChecked: true });
    const log = workLog(file);
    return {
      lm: journalled(lm, log),
      billed: () => log.billed(),
      [Symbol.dispose]: () => {
        try {
          file.close();
        } finally {
          lock[Symbol.dispose]();
        }
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}
