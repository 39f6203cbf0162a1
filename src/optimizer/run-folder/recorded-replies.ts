import { dirname } from "node:path";
import type { LanguageModel, LmRole } from "../../contract/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import { oncePer } from "../../internal/index.ts";
import { journalled } from "./journalled.ts";
import { openJsonlFile } from "../../storage/index.ts";
import { runAdvice } from "./run-folder.ts";
import { runLock } from "./run-lock.ts";
import { workLog } from "./work-log.ts";

/** A language model that never requests a recorded reply again. */
export interface RecordedReplies extends Disposable {
  readonly lm: LanguageModel;
  /** Another LM whose replies are recorded with these. */
  record(other: LanguageModel): LanguageModel;
  /** A tool of an agent whose results are recorded with these. */
  wrapTool(tool: LanguageModel): LanguageModel;
  /** What was sent to a server, by role, across all processes that wrote to the file. */
  billed(): { readonly [Role in LmRole]?: LedgerEntry["billed"] };
}

/**
 * Records replies in a separate file, each before it is used: for calls that belong to a run but
 * not to its budget, such as the report on the test split. Holds the folder's lock, as a run does.
 *
 * @throws EspalierError `run-locked`
 */
export function recordedReplies(lm: LanguageModel, path: string): RecordedReplies {
  const lock = runLock(dirname(path));
  try {
    const file = openJsonlFile(path, { isChecked: true, advice: runAdvice });
    const log = workLog(file);
    return {
      lm: journalled(lm, log),
      record: (other) => journalled(other, log),
      wrapTool: oncePer((tool: LanguageModel) => journalled(tool, log)),
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
