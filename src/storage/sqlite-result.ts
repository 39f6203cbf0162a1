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
