/**
 * SQLite's primary result code of an error, which an extended code holds in its low byte; 0 of
 * other errors.
 */
export function sqliteResult(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : 0;
}

/** Whether another connection holds the lock: `SQLITE_BUSY`, whichever its extended code. */
export function isBusy(error: unknown): boolean {
  return sqliteResult(error) === 5;
}
