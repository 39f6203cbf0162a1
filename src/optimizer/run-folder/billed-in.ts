import { existsSync } from "node:fs";
import { memoryLines, wholeLines } from "../../storage/index.ts";
import type { RecordedReplies } from "./recorded-replies.ts";
import { runAdvice } from "./run-folder.ts";
import { workLog } from "./work-log.ts";

/**
 * What was sent to a server, by role, according to a file of recorded replies; empty if there is no
 * file.
 */
export function billedIn(path: string): ReturnType<RecordedReplies["billed"]> {
  if (!existsSync(path)) return {};
  const existing = wholeLines(path, { isChecked: true, advice: runAdvice }).values;
  return workLog({ ...memoryLines(), path, existing }).billed();
}
