import { existsSync } from "node:fs";
import { eachWholeLine, memoryLines, wholeLines } from "../../storage/index.ts";
import { checkLine } from "./line/check-line.ts";
import type { WorkLine } from "./line/work-line.ts";
import { workShape } from "./line/work-shapes.ts";
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

/**
 * What was sent to a server, by role, according to a file of recorded replies; empty if there is no
 * file.
 */
export function billedIn(path: string): ReturnType<WorkLog["billed"]> {
  return readWork(path).billed();
}

/** Its lines one by one: the replies of a long run may not fit into memory. */
export function* workLinesIn(path: string): Generator<WorkLine> {
  let place = 0;
  for (const line of eachWholeLine(path, { isChecked: true, advice: runAdvice })) {
    checkLine(line, { shape: workShape, path, place });
    place++;
    yield line as WorkLine;
  }
}
