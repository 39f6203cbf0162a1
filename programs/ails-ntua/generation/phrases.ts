import { pythonSplit } from "espalier/metric";
import { pythonPattern, stripped } from "../python-text.ts";

/** The eleven phrases that are removed from answers and cost a candidate points (appendix C.4). */
export const forbiddenPhrases = [
  "I don't know",
  "I do not know",
  "I'm not sure",
  "I am not sure",
  "I'm uncertain",
  "I cannot say",
  "It's unclear",
  "It is unclear",
  "I cannot answer",
  "Unable to answer",
  "Cannot find information",
] as const;

/** Phrases by which the authors' code detects a refusal. */
const refusalPhrases = [
  "i don't know",
  "i do not know",
  "do not have enough information",
  "don't have enough information",
  "do not have specific information",
  "don't have specific information",
  "insufficient information",
  "i cannot answer",
  "unable to answer",
  "cannot find",
  "no information available",
  "information is not available",
] as const;

const forbidden = anyOf(forbiddenPhrases);
const refusing = anyOf(refusalPhrases);
const refusingWider = anyOf([...refusalPhrases, "not enough information"]);

export function hasForbiddenPhrase(answer: string): boolean {
  return pythonPattern(forbidden, "i").test(answer);
}

/** The final filter: removes the phrases and the extra spaces they leave behind. */
export function withoutForbiddenPhrases(answer: string): string {
  const left = answer
    .replace(pythonPattern(forbidden, "gi"), "")
    .replace(pythonPattern(String.raw`\s{2,}`, "g"), " ")
    .replace(pythonPattern(String.raw`(?<!\s)\s+([.,;:!?])`, "g"), "$1");
  return stripped(left);
}

/** Whether an answer only declines: a refusal phrase and few words. */
export function isPureRefusal(answer: string, maxWords: number): boolean {
  return pythonPattern(refusing, "i").test(answer) && pythonSplit(answer).length <= maxWords;
}

/**
 * The stricter check of the answerability gate: an empty answer is a refusal, and an answer with a
 * figure or an estimate is not.
 */
export function isRefusalWithoutData(answer: string, maxWords: number): boolean {
  if (stripped(answer) === "") return true;
  if (!pythonPattern(refusingWider, "i").test(answer)) return false;
  const data = String.raw`\b(?:\d|approximately|around|estimated|roughly)`;
  return !pythonPattern(data, "i").test(answer) && pythonSplit(answer).length <= maxWords;
}

/** Both apostrophes count: models write the typographic one, which the authors' list lacks. */
function anyOf(phrases: readonly string[]): string {
  return `(?:${phrases.join("|").replaceAll("'", "['\u2019]")})`;
}
