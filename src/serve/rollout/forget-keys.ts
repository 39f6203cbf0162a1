import type { DatabaseSync } from "node:sqlite";
import { writeAnew } from "../write-anew.ts";
import { keyHash } from "./rollout-key.ts";

/**
 * Puts random bytes in the place of the hashes of keys, in all rollouts: the scores stay, and nobody can
 * tell any more whose they are. The file is then written anew.
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
  writeAnew(database, { code: "serve-state-unusable", done: "The keys are forgotten" });
  return forgotten;
}
