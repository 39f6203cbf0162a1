/**
 * Our own files: SQLite files distinguished from those of other programs, locks (held or waited
 * for), append-only lines of JSON, atomic replacement, and reading of files larger than memory.
 * Files that may hold prompts or replies are readable only by their owner. Knows neither what is
 * stored nor for whom: callers pass in formats, error codes and advice.
 */
export type { FileLinesOptions } from "./file-lines.ts";
export { fileLines, filePieces } from "./file-lines.ts";
export type { LockHolder, LockRefusal } from "./file-lock.ts";
export { fileLock, lockHolder, waitForLock } from "./file-lock.ts";
export { drawnName } from "./drawn-name.ts";
export type { FileStamp } from "./unless-changed.ts";
export {
  inLongTransaction,
  inTransaction,
  whenUnlocked,
  identify,
  markAs,
  openDatabase,
  rewriteDatabase,
} from "./open-database.ts";
export type { JsonlFile } from "./jsonl-file.ts";
export { memoryLines, openJsonlFile, replaceLines } from "./jsonl-file.ts";
export type { LinesAdvice } from "./whole-lines.ts";
export type {
  DatabaseSchema,
  FoundDatabase,
  SqliteIdentity,
  UnusableDatabase,
} from "./open-database.ts";
export type { SqliteFormat } from "./open-sqlite.ts";
export { openSqlite, readSqlite } from "./open-sqlite.ts";
export { privateModes } from "./private-files.ts";
export { readFileWithin, readFileWithinSync, readNamedFile } from "./read-file-within.ts";
export { isBusy, sqliteResult, writeFault } from "./write-fault.ts";
export { fileStamp, unlessChanged } from "./unless-changed.ts";
export { checkedLine, eachWholeLine, endedLines, withChecksum, wholeLines } from "./whole-lines.ts";
export type { WriteFaultReport } from "./write-fault.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
