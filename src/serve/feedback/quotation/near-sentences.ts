import type { NearText, Steps } from "./is-near.ts";
import { isNear, nearText } from "./is-near.ts";

/**
 * Finds the known sentences that equal another or are near it. Sentences that share half of its
 * pairs of neighbouring words are compared letter by letter, while steps are left.
 */
export function nearSentences(
  known: readonly string[],
): (sentence: string, steps: Steps) => readonly string[] {
  const same = new Set(known);
  const byPair = new Map<string, NearText[]>();
  for (const sentence of known) {
    const each = nearText(sentence);
    if (each === undefined) continue;
    for (const pair of pairsOf(sentence)) {
      const holding = byPair.get(pair) ?? [];
      byPair.set(pair, holding);
      holding.push(each);
    }
  }
  return (sentence, steps) => {
    if (same.has(sentence)) return [sentence];
    const sought = nearText(sentence);
    if (sought === undefined || steps.left <= 0) return [];
    const pairs = pairsOf(sentence);
    const shared = new Map<NearText, number>();
    for (const pair of pairs) {
      const holding = byPair.get(pair) ?? [];
      if (holding.length > mostHolding) continue;
      steps.left -= holding.length;
      for (const each of holding) shared.set(each, (shared.get(each) ?? 0) + 1);
    }
    return [...shared].flatMap(([each, count]) =>
      2 * count >= pairs.size && steps.left > 0 && isNear(each, sought, steps) ? each.text : [],
    );
  };
}

/**
 * A pair in more sentences is a common phrase, and would cause a comparison with nearly all of
 * them.
 */
const mostHolding = 500;

function pairsOf(sentence: string): ReadonlySet<string> {
  const words = sentence.split(" ");
  return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
}
