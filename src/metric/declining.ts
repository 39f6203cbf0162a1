import type { IdkVerdict } from "./conditioning.ts";

const sentenceEnd = /(?<=[.!?])\s+|\n+/u;

/** What a sentence says that tells the reader it will not answer; our own list. */
const declines: readonly RegExp[] = [
  /\b(?:i|we) (?:do not|don't|did not|didn't|cannot|can't|could not|couldn't) (?:\w+ ){0,2}(?:know|have|find|see|answer|provide|determine|confirm|tell|say|locate|give)\b/iu,
  /\b(?:i am|i'm|we are) (?:not able|unable|not sure|unsure|not aware|not certain)\b/iu,
  /\b(?:do|does|did|is|are)(?: not|n't) (?:\w+ ){0,3}(?:contain|provide|mention|specif|include|state|say|indicate|address|describe|discuss|cover|answer|explain|give|available|clear|list|offer|detail)/iu,
  /\b(?:no|not enough|insufficient|without) (?:\w+ ){0,3}(?:information|mention|details?|evidence|answer|context|passages?|documents?)\b/iu,
  /\binformation (?:is|was) not\b/iu,
  /\b(?:cannot|can't|could not|couldn't) be (?:answered|determined|found|confirmed)\b/iu,
  /\b(?:lacks?|lacking|missing) (?:\w+ ){0,3}(?:information|details?|context)\b/iu,
];

/**
 * Whether a response declines to answer, by rules and without a model: "I do not know", "the passages
 * do not say" and the like, sentence by sentence. 1 when it declines and says little else, 0.5 when it
 * declines in part, 0 when nowhere. A stand-in for the IDK judge, and named so wherever it is used.
 *
 * On 1,259 responses of 17 systems whose judge's verdicts are published (RaguTeam, SemEval-2026 Task 8)
 * it gives the same verdict on 1,142; on whether a response declines altogether it agrees on 1,245,
 * finding 33 of 42 and naming 5 more; the rules were adjusted on these, so that others may fare worse.
 * English only.
 */
export function declinesByRule(response: string): Exclude<IdkVerdict, "unknown"> {
  const sentences = response
    .replaceAll("’", "'")
    .split(sentenceEnd)
    .filter((sentence) => sentence.trim() !== "");
  const declining = sentences.filter((sentence) => declines.some((rule) => rule.test(sentence)));
  if (declining.length === 0) return sentences.length === 0 ? 1 : 0;
  const telling = sentences.filter((sentence) => !declining.includes(sentence));
  return telling.every(isCourtesy) ? 1 : 0.5;
}

/** Says nothing about the matter: an apology, an offer, a question back. */
function isCourtesy(sentence: string): boolean {
  return (
    /\?\s*$/u.test(sentence) ||
    /\b(?:sorry|apologi[sz]e|unfortunately|let me know|feel free|please|recommend|suggest|would you like|happy to help|if you)\b/iu.test(
      sentence,
    )
  );
}
