import type { TextReader } from "../../text/index.ts";

/**
 * How much a question relies on earlier turns, in [0, 1]: 1 with a personal pronoun or hardly any
 * content of its own, little if it could open a conversation.
 */
export function questionNeed(question: string, reader: TextReader): number {
  const words = reader.words(question);
  const contentCount = words.filter(({ kind }) => kind === "content").length;
  if (contentCount <= 2 || words.some(({ lower }) => personal.has(lower))) return 1;
  if (contentCount <= 3 || words.some(({ isPronoun }) => isPronoun)) return 0.6;
  return 0.3;
}

const personal: ReadonlySet<string> = new Set(
  "it its they them their theirs he him his she her hers".split(" "),
);
