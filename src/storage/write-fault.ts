import { EspalierError, messageOf } from "../errors/index.ts";

/** What a message about a failed write adds to the system's message. */
export interface WriteFaultReport {
  /** What is not lost, as a sentence. */
  readonly kept: string;
  /** What to do once the location is writable, as an imperative. */
  readonly next: string;
}

/**
 * Explains why a file could not be written, what is kept, and what to do. Returns an error
 * unchanged if neither the system nor SQLite reported it for a write.
 */
export function writeFault(
  error: unknown,
  path: string,
  { kept, next }: WriteFaultReport,
): unknown {
  const cause = causeOf(error);
  if (cause === undefined) return error;
  return new EspalierError({
    code: "write-failed",
    problem: cause.problem,
    where: path,
    got: messageOf(error),
    fix: `${kept} ${cause.remedy}, then ${next}.`,
    cause: error,
  });
}

interface Cause {
  readonly problem: string;
  readonly remedy: string;
}

const full: Cause = { problem: "The disk is full", remedy: "Free some space" };
const readOnly: Cause = {
  problem: "The location is read-only",
  remedy: "Make it writable or choose another",
};
const faulty: Cause = {
  problem: "The disk could not store the data",
  remedy: "Check whether it is full, faulty or under a file size limit (`ulimit -f`)",
};
const noPlace: Cause = {
  problem: "The path cannot hold a file",
  remedy: "Correct the path",
};

const ofSystem: Readonly<Record<string, Cause>> = {
  ENOSPC: full,
  EDQUOT: { problem: "The disk quota is exhausted", remedy: "Free some space" },
  EFBIG: {
    problem: "The file reached the size limit of this process",
    remedy: "Raise the limit (`ulimit -f`)",
  },
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
  EIO: faulty,
  // Node.js also reports this for a folder to be created where nothing can be written.
  ENOENT: {
    problem: "The folder does not exist and cannot be created",
    remedy: "Check that its parent folder is writable",
  },
  ENOTDIR: noPlace,
  EISDIR: noPlace,
  EEXIST: noPlace,
  ENOTEMPTY: noPlace,
  ENAMETOOLONG: noPlace,
};

/** By SQLite's primary result code. */
const ofSqlite: Readonly<Record<number, Cause>> = { 8: readOnly, 10: faulty, 13: full };

function causeOf(error: unknown): Cause | undefined {
  if (!(error instanceof Error) || EspalierError.isInstance(error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (errcode !== undefined) return ofSqlite[sqliteResult(error)];
  return typeof code === "string" ? ofSystem[code] : undefined;
}

/**
 * SQLite's primary result code of an error, the low byte of an extended code; 0 for other errors.
 */
export function sqliteResult(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : 0;
}

/** Whether another connection holds the lock: `SQLITE_BUSY` with any extended code. */
export function isBusy(error: unknown): boolean {
  return sqliteResult(error) === 5;
}
