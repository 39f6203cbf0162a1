import { createHash } from "node:crypto";
import type { SplitName } from "espalier";

export interface Conversation {
  readonly id: string;
  readonly domain: string;
}

/** Per domain, by the SHA-256 of a conversation's id: half train, a quarter val, the rest test. */
export function dealConversations(
  conversations: readonly Conversation[],
): ReadonlyMap<string, SplitName> {
  const splits = new Map<string, SplitName>();
  for (const members of Map.groupBy(conversations, ({ domain }) => domain).values()) {
    const ids = [...new Set(members.map(({ id }) => id))].toSorted((left, right) =>
      hash(left) < hash(right) ? -1 : 1,
    );
    for (const [index, id] of ids.entries()) {
      const isTrain = index < halfToEven(0.5 * ids.length);
      splits.set(id, isTrain ? "train" : index < halfToEven(0.75 * ids.length) ? "val" : "test");
    }
  }
  return splits;
}

/** Rounds like Python's `round`. */
function halfToEven(value: number): number {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
