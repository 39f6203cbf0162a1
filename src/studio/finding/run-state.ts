import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { isObject, jsonOrUndefined } from "../../internal/index.ts";
import { runFolderFiles, stopFileDetail } from "../../optimizer/files.ts";
import type { RunState } from "../../report-page/index.ts";
import { lockHolder, fileStamp } from "../../storage/index.ts";

/** The state of a run, by the end of its journal and the note in its lock; takes no lock. */
export function runState(folder: string): RunState {
  const { journal, lock, stop } = runFolderFiles(folder);
  const end = endIn(journal);
  if (end !== null) return end.isStop ? "stopped" : "ended";
  if (lockHolder(lock) === "none") return "interrupted";
  return existsSync(stop) ? "stopping" : "running";
}

/** An end is short, whatever was written before it. */
const endBytes = 65_536;

function endIn(journal: string): { readonly isStop: boolean } | null {
  const [line] = tailOf(journal, endBytes).trimEnd().split("\n").slice(-1);
  const last = jsonOrUndefined(line ?? "");
  if (!isObject(last) || last["kind"] !== "run-end") return null;
  return {
    isStop: last["reason"] === "stopper" && last["detail"] === stopFileDetail,
  };
}

function tailOf(path: string, bytes: number): string {
  // A pipe has no size; opening it would wait for its writer.
  if (!statSync(path, { throwIfNoEntry: false })?.size) return "";
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const { size } = fstatSync(file);
    const content = Buffer.alloc(Math.min(bytes, size));
    const read = readSync(file, content, 0, content.length, size - content.length);
    return content.toString("utf8", 0, read);
  } finally {
    closeSync(file);
  }
}

/** Changes with what is read of a run's folder, a result or an artifact. */
export function filesStamp(path: string): string {
  const { journal, artifact } = runFolderFiles(path);
  return [path, journal, artifact].map((file) => fileStamp(file)?.id ?? "").join(" ");
}

export function isRun(path: string): boolean {
  return fileStamp(runFolderFiles(path).journal) !== null;
}
