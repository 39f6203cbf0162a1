import { createHash } from "node:crypto";
import type { Turn } from "../../contract/index.ts";

/**
 * Who counts as one: whom the client asks for, else the conversation, which its first message of the user
 * tells from others.
 *
 * @param masked takes secrets out of that message, as they are out of what a file of feedback keeps: what is
 *   erased there is found by its key
 */
export function rolloutKey(
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

/** What a rollout keeps of a key: 128 bits of a hash that is no other candidate's. */
export function keyHash(
  { model, candidate, since }: Readonly<Record<"model" | "candidate" | "since", string>>,
  key: string,
): Buffer {
  return digest([model, candidate, since, key]).subarray(0, 16);
}

/** A number in [0, 1) that looks drawn at random, and is always the same of the same parts. */
export function fractionOf(parts: readonly string[]): number {
  return digest(parts).readUIntBE(0, 6) / 2 ** 48;
}

function digest(parts: readonly string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
