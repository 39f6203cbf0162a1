import type { DatabaseSync } from "node:sqlite";
import { rewriteDatabase } from "../../storage/index.ts";
import type { CanaryPair } from "./stored-canary.ts";
import type { KeyedHash } from "./canary-key.ts";
import { keyHash } from "./canary-key.ts";

/**
 * Replaces the hashes of keys with random bytes, in all rollouts and for all API keys: the scores
 * stay, but nothing links them to a key any more. Rewrites the file afterwards.
 *
 * @returns the number of replaced hashes
 * @throws EspalierError `serve-state-unusable`
 */
export function forgetKeys(
  database: DatabaseSync,
  {
    rollouts,
    hashed,
  }: { readonly rollouts: readonly ForgetfulCanary[]; readonly hashed: KeyedHash },
  keys: readonly string[],
): number {
  const forget = database.prepare(
    "UPDATE observations SET key = randomblob(16) WHERE rollout = ? AND key = ?",
  );
  let forgotten = 0;
  for (const rollout of rollouts) {
    for (const key of keys) {
      forgotten += Number(forget.run(rollout.id, keyHash(hashed, rollout, key)).changes);
    }
  }
  rewriteDatabase(database, { code: "serve-state-unusable", done: "The keys are forgotten" });
  return forgotten;
}

type ForgetfulCanary = CanaryPair & { readonly id: number };
