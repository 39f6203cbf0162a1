import type { TextReader, Word } from "../text/index.ts";
import { remembering, stemTable } from "../text/index.ts";
import type { ConceptHit, ConceptMatcher } from "./concept-matcher.ts";
import { conceptMatcher } from "./concept-matcher.ts";
import type { Concept } from "./lexicon.ts";

export interface ClauseHit extends ConceptHit {
  /** Under an odd number of negations. */
  readonly isNegated: boolean;
}

/** A part of an instruction whose words are read together. */
export interface Clause {
  readonly text: string;
  readonly words: readonly Word[];
  readonly hits: ReadonlyMap<Concept, readonly ClauseHit[]>;
  readonly wordCount: number;
}

/** Reads the clauses of an instruction; equal texts may share one result. */
export type ClauseReader = (text: string) => readonly Clause[];

/** A reader that caches a bounded number of texts, since programs send the same few repeatedly. */
export function clauseReader(reader: TextReader): ClauseReader {
  const match = conceptMatcher(reader);
  return remembering((text) => readClauses(text, reader, match), { most: 500 });
}

/** Splits a text at sentence ends, line ends, semicolons, colons, dashes and "but". */
function readClauses(text: string, reader: TextReader, match: ConceptMatcher): readonly Clause[] {
  return text
    .split(
      /(?<=[.!?;:])\s+|\n+|(?<![^\S\n])[^\S\n]+[-–—]+\s+|(?:,\s+|(?<![^\S\n])[^\S\n]+)(?=(?:but|yet|however|then)\b)/iu,
    )
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => clauseOf(part, reader, match));
}

function clauseOf(text: string, reader: TextReader, match: ConceptMatcher): Clause {
  const words = reader.words(text);
  const hits = new Map<Concept, ClauseHit[]>();
  const found = match(words);
  const negations = negationDepths(text, words, startsOfActs(found));
  for (const hit of found) {
    const held = hits.get(hit.concept) ?? [];
    held.push({ ...hit, isNegated: (negations[hit.from] ?? 0) % 2 === 1 });
    hits.set(hit.concept, held);
  }
  return { text, words, hits, wordCount: words.length };
}

function startsOfActs(hits: readonly ConceptHit[]): ReadonlySet<number> {
  return new Set(
    hits
      .filter(({ concept }) => concept === "use" || concept === "resolve" || concept === "split")
      .map(({ from }) => from),
  );
}

/**
 * How many negations apply to each word. A negation extends to the end of its clause, unless a
 * comma ends it (except for a comma in a list that continues with "or"), or "and" followed by a new
 * verb.
 */
function negationDepths(
  text: string,
  words: readonly Word[],
  acts: ReadonlySet<number>,
): readonly number[] {
  let depth = 0;
  const depths: number[] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    const gap = before === undefined ? "" : text.slice(before.end, word.start);
    if (depth > 0 && gap.includes(",") && !continuesWithOr(text, words, index)) depth = 0;
    const opensAct = (before?.lower === "and" || before?.lower === "instead") && acts.has(index);
    if (depth > 0 && opensAct && word.lower !== "from" && word.lower !== "with") depth = 0;
    depths.push(depth);
    if (isNegator(words, index)) depth += 1;
  }
  return depths;
}

function continuesWithOr(text: string, words: readonly Word[], index: number): boolean {
  for (const word of words.slice(index, index + 8)) {
    if (word.lower === "or" || word.lower === "nor") return true;
    if (word.lower === "and" || word.lower === "instead") return false;
  }
  return false;
}

function isNegator(words: readonly Word[], index: number): boolean {
  const word = words[index];
  const next = words[index + 1]?.lower;
  if (word === undefined) return false;
  // "not only", "no matter" and "no longer than" negate nothing.
  if (word.lower === "not" && (next === "only" || next === "just")) return false;
  if (word.lower === "no" && (next === "matter" || next === "more" || next === "longer"))
    return false;
  if (word.lower === "instead" || word.lower === "rather") return next === "of" || next === "than";
  if (word.lower === "leave" || word.lower === "left") {
    return words
      .slice(index + 1, index + 5)
      .some(({ lower }) => lower === "out" || lower === "aside");
  }
  // "Queries that lack it" negates it, while "what is missing" or "lacking" names a gap.
  if (/^(?:lacks?|miss|misses)$/.test(word.lower)) return true;
  return negators.has(word.lower) || negatingVerbs.has(word.stem);
}

const negators: ReadonlySet<string> = new Set(
  `not no never without dont doesnt mustnt shouldnt cannot cant wont neither nor none`.split(/\s+/),
);

const negatingVerbs: ReadonlyMap<string, "denies"> = stemTable<"denies">({
  denies: `avoid ignore disregard omit skip drop exclude forget remove discard neglect refrain strip stop
    overlook delete eliminate forgo shun reject withhold suppress cut abandon prohibit forbid`,
});
