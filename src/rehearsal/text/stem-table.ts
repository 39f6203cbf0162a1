import { stem } from "./stem.ts";

/** Turns `{ meaning: "word word" }` into a look-up from the stem of each word to its meaning. */
export function stemTable<TMeaning extends string>(
  wordsByMeaning: Readonly<Record<TMeaning, string>>,
): ReadonlyMap<string, TMeaning> {
  return new Map(
    Object.entries<string>(wordsByMeaning).flatMap(([meaning, words]) =>
      words.split(/\s+/).map((word) => [stem(word), meaning as TMeaning] as const),
    ),
  );
}
