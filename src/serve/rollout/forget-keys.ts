import type { DatabaseSync } from "node:sqlite";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { keyHash } from "./rollout-key.ts";

/**
 * Puts random bytes in the place of the hashes of keys, in all rollouts: the scores stay, and nobody can
 * tell any more whose they are. The file is then written anew, and its log emptied, so that no rest is kept.
 *
 * @returns how many there were
 * @throws EspalierError `serve-state-unusable`
 */
export function forgetKeys(database: DatabaseSync, keys: readonly string[]): number {
  const rollouts = database.prepare("SELECT id, model, candidate, since FROM rollouts").all();
  const forget = database.prepare(
    "UPDATE observations SET key = randomblob(16) WHERE rollout = ? AND key = ?",
  );
  let forgotten = 0;
  for (const { id, model, candidate, since } of rollouts) {
    const pair = { model: String(model), candidate: String(candidate), since: String(since) };
    for (const key of keys) {
      forgotten += Number(forget.run(Number(id), keyHash(pair, key)).changes);
    }
  }
  writeAnew(database);
  return forgotten;
}

function writeAnew(database: DatabaseSync): void {
  try {
    database.exec("VACUUM");
    const ended = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (ended?.["busy"] !== 0) throw new Error("its log is being read");
  } catch (error) {
    throw new EspalierError({
      code: "serve-state-unusable",
      problem: "The keys are forgotten, but the file could not be written anew",
      got: messageOf(error),
      fix: "Erase again when the server has less to do, or is stopped.",
      cause: error,
    });
  }
}
