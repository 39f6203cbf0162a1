import { existsSync } from "node:fs";
import { memoryLines, wholeLines } from "../../storage/index.ts";
import { runAdvice } from "./run-folder.ts";
import type { WorkLog } from "./work-log.ts";
import { workLog } from "./work-log.ts";

/** Reads a file of recorded replies without modifying it; an empty log if there is no file. */
export function readWork(path: string): WorkLog {
  const existing = existsSync(path)
    ? wholeLines(path, { isChecked: true, advice: runAdvice }).values
    : [];
  return workLog({ ...memoryLines(), path, existing });
}
