import type { DatabaseSync } from "node:sqlite";
import type { ErrorCode } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

/**
 * Writes the file of a database anew and empties its log, where it has one, so that no free page,
 * and no page that was half full, keeps a rest of what was taken out.
 *
 * @param done what is done already, where this cannot be
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
      problem: `${done}, but the file could not be written anew`,
      got: messageOf(error),
      fix: "Erase again when the server has less to do, or is stopped.",
      cause: error,
    });
  }
}
