import type { Clause } from "./clauses.ts";

export interface WordLimits {
  readonly least?: number;
  readonly most?: number;
}

/** Reads "8 to 15 words", "at most ten words", "one or two words". The last limit counts. */
export function wordLimits(clauses: readonly Clause[]): WordLimits {
  let limits: WordLimits = {};
  for (const { text } of clauses) {
    const match = limitPattern.exec(text.toLowerCase());
    if (match === null) continue;
    const first = numberOf(match[1]);
    const second = numberOf(match[2]);
    if (first === undefined) continue;
    const isLeast = /(?:at least|no fewer than|more than|minimum(?: of)?)\s*$/.test(
      text.toLowerCase().slice(0, match.index),
    );
    if (second !== undefined) limits = { least: first, most: second };
    else limits = isLeast ? { least: first } : { most: first };
  }
  return limits;
}

const number =
  "(\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)";
const limitPattern: RegExp = new RegExp(
  `\\b${number}(?:\\s*(?:-|–|to|or|and)\\s*${number})?\\s+(?:\\w+\\s+)?(?:word|term|keyword)s?\\b`,
);

const numberWords: readonly string[] =
  "zero one two three four five six seven eight nine ten".split(" ");

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const index = numberWords.indexOf(text);
  return index >= 0 ? index : { twelve: 12, fifteen: 15, twenty: 20, thirty: 30 }[text];
}
