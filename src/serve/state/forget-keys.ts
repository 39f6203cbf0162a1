import type { DatabaseSync } from "node:sqlite";
import { rewriteDatabase } from "../../storage/index.ts";
import type { CanaryPair } from "./stored-canary.ts";
import type { KeyedHash } from "./canary-key.ts";
import { keyHash } from "./canary-key.ts";

/**
 * Puts random bytes in the place of the hashes of keys, in all rollouts and whichever API keys
 * asked for them: the scores stay, and nobody can tell any more whose they are. The file is then
 * written anew.
 *
 * @returns how many there were
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
