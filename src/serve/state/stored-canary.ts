import type { Turn } from "../../contract/index.ts";
import type { CanaryRules } from "../comparison/sequential-comparison.ts";

/** The two versions of a trial. */
export interface CanaryPair {
  /** Id of the chat model. */
  readonly model: string;
  /** The default version; `declared` for the program as declared. */
  readonly baseline: string;
  readonly candidate: string;
  /** When the candidate became one: promoted again, it gets a new trial. */
  readonly since: string;
}

/** `ended`: the trial of the two versions is over without a rollback. */
export type CanaryStatus = "running" | "rolled-back" | "ended";

/** A rollout as stored. */
export interface StoredCanary extends CanaryPair, CanaryRules {
  readonly id: number;
  /** Share of the keys that the candidate answers, as last configured. */
  readonly canary: number;
  /** Share of the other keys whose question both versions answer. */
  readonly shadow: number;
  readonly status: CanaryStatus;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Reason of a rollback, with figures. */
  readonly why: string | null;
}

/**
 * The unit that counts as one within an API key: the user that the client names, or else the
 * conversation, identified by its first user message.
 *
 * @param masked redacts secrets from that message, exactly as a feedback file does, so that
 *   erasing an answer there finds its key here
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

/** Hashes texts with the secret of a state: the results cannot be computed without the file. */
export type KeyedHash = (parts: readonly string[]) => Buffer;

/** Identifies an asker: the name of the API key, if any, and the result of `canaryKey`. */
export interface Asker {
  readonly apiKey: string | undefined;
  readonly key: string;
}

/** A rollout's stored form of a key: 128 bits of a hash that differs for every rollout. */
export function keyHash(hashed: KeyedHash, pair: CanaryPair, key: string): Buffer {
  return hashed(["key", ...namesOf(pair), key]).subarray(0, 16);
}

/** A state's stored form of an API key's name; the same in all rollouts. */
export function apiKeyHash(hashed: KeyedHash, apiKey: string | undefined): Buffer {
  return hashed(apiKey === undefined ? ["no api key"] : ["api key", apiKey]).subarray(0, 16);
}

/**
 * A number in [0, 1), always the same for the same asker in the same rollout, and pseudorandom to
 * anyone who does not know the secret.
 *
 * @param purpose what is drawn; numbers for different purposes are independent
 */
export function fractionOf(
  hashed: KeyedHash,
  purpose: "arm" | "shadow",
  { pair, asker: { apiKey, key } }: { readonly pair: CanaryPair; readonly asker: Asker },
): number {
  const asker = JSON.stringify([apiKey ?? null, key]);
  return hashed([purpose, ...namesOf(pair), asker]).readUIntBE(0, 6) / 2 ** 48;
}

/** Knowing one rollout's draws reveals nothing about the next one's. */
function namesOf({ model, baseline, candidate, since }: CanaryPair): readonly string[] {
  return [model, baseline, candidate, since];
}
