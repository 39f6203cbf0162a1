import type { TextReader, Word } from "../text/index.ts";
import type { Concept } from "./lexicon.ts";
import { lexicon } from "./lexicon.ts";

export interface ConceptHit {
  readonly concept: Concept;
  /** Index of the first word, and the index after the last. */
  readonly from: number;
  readonly to: number;
}

export type ConceptMatcher = (words: readonly Word[]) => readonly ConceptHit[];

/**
 * Finds all concepts in a run of words; a phrase inside a longer one of its concept does not count.
 */
export function conceptMatcher(reader: TextReader): ConceptMatcher {
  const phrases = indexPhrases(reader);
  return (words) => {
    const hits: ConceptHit[] = [];
    const end = new Map<Concept, number>();
    for (const [from, word] of words.entries()) {
      // Longest first, so that a concept's longest phrase claims its words.
      for (const { concept, stems } of phrases.get(word.stem) ?? []) {
        if (from < (end.get(concept) ?? 0) || !matchesAt(words, from, stems)) continue;
        const to = from + stems.length;
        end.set(concept, to);
        hits.push({ concept, from, to });
      }
    }
    return hits;
  };
}

interface Phrase {
  readonly concept: Concept;
  readonly stems: readonly string[];
}

function indexPhrases(reader: TextReader): ReadonlyMap<string, readonly Phrase[]> {
  const byFirst = new Map<string, Phrase[]>();
  for (const [concept, phrases] of Object.entries(lexicon)) {
    for (const phrase of phrases.split(",")) {
      const stems = reader.words(phrase).map((word) => word.stem);
      const [first] = stems;
      if (first === undefined) continue;
      const held = byFirst.get(first) ?? [];
      held.push({ concept: concept as Concept, stems });
      byFirst.set(first, held);
    }
  }
  for (const held of byFirst.values()) {
    held.sort((left, right) => right.stems.length - left.stems.length);
  }
  return byFirst;
}

function matchesAt(words: readonly Word[], from: number, stems: readonly string[]): boolean {
  return stems.every((stem, offset) => words[from + offset]?.stem === stem);
}
