import { isNear } from "./is-near.ts";

/**
 * Finds the sentences that are the same as another, or near it: those that share half of its pairs of
 * neighbouring words are compared letter by letter.
 */
export function nearSentences(known: readonly string[]): (sentence: string) => readonly string[] {
  const same = new Set(known);
  const byPair = new Map<string, string[]>();
  for (const sentence of known) {
    for (const pair of pairsOf(sentence)) {
      const holding = byPair.get(pair) ?? [];
      byPair.set(pair, holding);
      holding.push(sentence);
    }
  }
  return (sentence) => {
    if (same.has(sentence)) return [sentence];
    const pairs = pairsOf(sentence);
    const shared = new Map<string, number>();
    for (const pair of pairs) {
      const holding = byPair.get(pair) ?? [];
      if (holding.length > mostHolding) continue;
      for (const each of holding) shared.set(each, (shared.get(each) ?? 0) + 1);
    }
    return [...shared].flatMap(([each, count]) =>
      2 * count >= pairs.size && isNear(each, sentence) ? each : [],
    );
  };
}

/** A pair in more sentences is a turn of phrase, and would have nearly all of them compared. */
const mostHolding = 500;

function pairsOf(sentence: string): ReadonlySet<string> {
  const words = sentence.split(" ");
  return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
}
