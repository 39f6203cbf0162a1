import type { ClarificationVerdict } from "./conditioning.ts";
import { sentencesOf, uncontracted } from "./sentences-of.ts";

/** Verbs for explaining what was meant. */
const makesClear =
  "(?:specify|clarify|elaborate|rephrase|explain|indicate|confirm|describe|restate|be (?:more )?specific)";
/** Verbs for handing something over; they ask back if the object is knowledge. */
const handsOver = "(?:provide|give|share|supply|add|tell|say|state|let (?:me|us) know(?! if))";
const knowledge =
  "(?:which|what|whether|who|where|when|how|why|details?|information|context|specifics|clarification|example|meaning|mean|looking for)";
const handsOverKnowledge = `${handsOver}\\b(?=.{0,40}\\b${knowledge}\\b)`;

/** Questions for what was meant, though they may name "something else" beside it. */
const asksMeaning = new RegExp(
  "\\b(?:do|did) you (?:\\w+ )?mean\\b|\\bdo you have in mind\\b|\\b(?:are|were) you (?:\\w+ )?(?:referring|asking|talking|speaking|thinking|inquiring|wondering)\\b|\\b(?:is|was) (?:it|this|that|your question) .{1,80}\\bor (?:\\w+ ){0,4}(?:something|someone|somewhere|another|other)\\b",
  "iu",
);

/**
 * The response commands or politely asks the user: "the bank can provide interest" does neither.
 */
const requests: readonly RegExp[] = [
  `(?:^|[,:;] |\\b(?:so|and|but) )(?:please|kindly) (?:also )?(?:${makesClear}|${handsOverKnowledge})`,
  `\\b(?:could|can|would|will) you (?:please |kindly |perhaps )?(?:${makesClear}|${handsOver})\\b`,
  `\\bif you (?:could |can |would )?(?:please )?(?:${makesClear}|${handsOverKnowledge}).{0,120}\\bI (?:can|could|will|would|may)\\b`,
].map((form) => new RegExp(form, "iu"));

/** Offers of more help, which do not ask what was meant. */
const offers =
  /\b(?:anything|something|what) (?:\w+ )?(?:else|more|other|further)\b|\b(?:know|learn|hear|read|find out) more\b|\b(?:any|more|other|further|additional) (?:\w+ ){0,2}questions?\b|\b(?:can|may|could|shall) i (?:help|assist|do)\b|\b(?:like|want|need) (?:me|my|any|more|some|further)\b|\bhelp (?:you )?with any/iu;

/**
 * Whether a response asks what was meant, by rules instead of a model: it ends in a question that
 * is not an offer, asks anywhere what was meant, or tells the user to clarify something. A stand-in
 * for the clarification judge, and labelled as one wherever it is used. English only.
 */
export function asksBackByRule(response: string): Exclude<ClarificationVerdict, 0.5> {
  const sentences = sentencesOf(response).map(uncontracted);
  const remaining = sentences.filter((sentence) => !isOffer(sentence));
  const isAsking = remaining.some(asks) || remaining.at(-1)?.endsWith("?") === true;
  return isAsking ? 1 : 0;
}

function isOffer(sentence: string): boolean {
  return offers.test(sentence) && !asks(sentence);
}

function asks(sentence: string): boolean {
  return (
    requests.some((request) => request.test(sentence)) ||
    (sentence.endsWith("?") && asksMeaning.test(sentence))
  );
}
