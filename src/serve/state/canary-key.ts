import type { Turn } from "../../contract/index.ts";
import type { CanaryPair } from "./stored-canary.ts";

/**
 * Who counts as one among those who share an API key: whom the client asks for, else the
 * conversation, which its first message of the user tells from others.
 *
 * @param masked takes secrets out of that message, as they are out of what a file of feedback
 *   keeps: what is erased there is found by its key
 */
export function canaryKey(
  {
    user,
    question,
    history,
  }: { readonly user?: string; readonly question: string; readonly history: readonly Turn[] },
  masked: (text: string) => string = (text) => text,
): string {
  if (user !== undefined) return JSON.stringify(["user", user]);
  const first = history.find(({ speaker }) => speaker === "user")?.text ?? question;
  return JSON.stringify(["conversation", masked(first)]);
}

/**
 * Hashes texts with the secret of a state: nobody without the file can compute what follows from
 * it.
 */
export type KeyedHash = (parts: readonly string[]) => Buffer;

/**
 * Who asked: the name of the API key, where there is one, and what `canaryKey` makes of the rest.
 */
export interface Asker {
  readonly apiKey: string | undefined;
  readonly key: string;
}

/** What a rollout keeps of a key: 128 bits of a hash that is no other rollout's. */
export function keyHash(hashed: KeyedHash, pair: CanaryPair, key: string): Buffer {
  return hashed(["key", ...namesOf(pair), key]).subarray(0, 16);
}

/** What a state keeps of an API key's name; the same in all rollouts. */
export function apiKeyHash(hashed: KeyedHash, apiKey: string | undefined): Buffer {
  return hashed(apiKey === undefined ? ["no api key"] : ["api key", apiKey]).subarray(0, 16);
}

/**
 * A number in [0, 1), always the same for the same asker in the same rollout, and as good as random
 * to everybody who does not know the secret.
 *
 * @param purpose what is drawn: numbers for different ones are independent of each other
 */
export function fractionOf(
  hashed: KeyedHash,
  purpose: "arm" | "shadow",
  { pair, asker: { apiKey, key } }: { readonly pair: CanaryPair; readonly asker: Asker },
): number {
  const asker = JSON.stringify([apiKey ?? null, key]);
  return hashed([purpose, ...namesOf(pair), asker]).readUIntBE(0, 6) / 2 ** 48;
}

/** What was learned of one rollout's draws says nothing of the next one's. */
function namesOf({ model, baseline, candidate, since }: CanaryPair): readonly string[] {
  return [model, baseline, candidate, since];
}
