import type { DatabaseSync } from "node:sqlite";
import type { ErrorCode } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

/**
 * Rewrites a database file and empties its log, if any, so that no free or half-full page keeps
 * remains of removed data.
 *
 * @param done what is already done if the rewrite fails
 */
export function rewriteDatabase(
  database: DatabaseSync,
  { code, done }: { readonly code: ErrorCode; readonly done: string },
): void {
  try {
    database.exec("VACUUM");
    const ended = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (ended?.["busy"] !== 0) throw new Error("its log is being read");
  } catch (error) {
    throw new EspalierError({
      code,
      problem: `${done}, but the file could not be rewritten`,
      got: messageOf(error),
      fix: "Erase again when the server is less busy or stopped.",
      cause: error,
    });
  }
}
