import type { Metric } from "../../../src/index.ts";
import type { BlamedPredictors } from "../../../src/metric/index.ts";
import type { IdkVerdict, ClarificationVerdict } from "./conditioning.ts";
import type { GenerationLabels, GenerationOutput, GenerationSides } from "./generation-sides.ts";
import { generationOf } from "./generation-sides.ts";
import { idkConditionedHarmonicMean } from "./idk-conditioned.ts";
import { lexicalAgreementOf } from "./rb-agg.ts";

/**
 * Metric `lexical_generation_quality`: quality of a generation without any model. The proxy for
 * RB_agg (`lexicalAgreementOf`), conditioned on whether the response rightly declined or asked
 * back, by rules (`declinesByRule`, `asksBackByRule`). Cheap enough for a search, but blind to
 * faithfulness: for claims, use `generationQuality`.
 *
 * @example
 * lexicalGenerationQuality({
 *   answer: "answer",
 *   passages: "passages",
 *   reference: "answer",
 *   answerability: "answerability",
 *   blame: { abstaining: ["classifyAnswerability"], answering: ["writeCompleteAnswer"] },
 * })
 */
export function lexicalGenerationQuality<
  const TAnswer extends string,
  const TPassages extends string,
  const TReference extends string,
  const TAnswerability extends string,
  const TRelevant extends string = never,
>({
  blame = {},
  ...sides
}: GenerationSides<TAnswer, TPassages, TReference, TAnswerability, TRelevant> & {
  /** @default no predictor is blamed */
  readonly blame?: BlamedPredictors;
}): Metric<
  unknown,
  GenerationOutput<TAnswer, TPassages>,
  GenerationLabels<TReference, TAnswerability, NoInfer<TRelevant>>
> {
  return idkConditionedHarmonicMean({
    name: "lexical_generation_quality",
    version: "1",
    objectives: ["lexical_agreement"],
    blame,
    judge: (args) => {
      const generation = generationOf(sides, args);
      const { response, reference, passages, answerability, evidence } = generation;
      const texts = passages.map(({ text }) => text);
      return {
        answerability,
        ...(reference !== undefined && { reference }),
        ...(evidence && { evidence }),
        idk: declinesByRule(response),
        clarification: asksBackByRule(response),
        objectives: {
          lexical_agreement:
            reference === undefined
              ? { value: null }
              : {
                  value: lexicalAgreementOf({ response, reference, passages: texts }),
                  text: `The answer was "${response}"; a good one is "${reference}".`,
                },
        },
      };
    },
  });
}

/** Words with which a response refers to its sources. */
const source =
  "(?:documents?|passages?|contexts?|texts?|sources?|articles?|excerpts?|snippets?|materials?|references?|pages?|information|details?|specifics?|data|answers?|records?)";
/** Verbs for what a text does with a subject: "is not mentioned" always refers to a text. */
const reports =
  "(?:mention|specif|stat(?:e|ed|es|ing)\\b|sa(?:y|ys|id)\\b|indicat|address|describ|discuss|explain|detail|clarif|reveal|elaborat|report|document|defin|identif|confirm|explicit|clear)";
/** Verbs that also apply to others: a shop, too, "does not provide". */
const supplies = "(?:contain|provid|includ|giv|offer|cover|list|answer|available|present|support)";
/** What a response that declines cannot do. */
const abilities =
  "(?:know|have|find|see|answer|provide|determine|confirm|tell|say|locate|give|verify|identify|recall|offer|comment|speak|recommend|predict|assist|help|understand)";
const negated = "(?:do|does|did|is|are|was|were|can|could|will|would|has|have) not";
const some = (most: number): string => `(?:[\\w'-]+ ){0,${most}}`;

/** Forms of a negated ability or of a silent text, without contractions. */
const declines: readonly RegExp[] = [
  `\\b(?:i|we) (?:do|did|can|could|will|would|have) not ${some(2)}${abilities}\\b`,
  `\\b(?:i|we) (?:am|are|was|were) (?:unable|unsure|unaware|not ${some(1)}(?:able|sure|aware|certain|familiar))\\b`,
  `\\b${negated} ${some(3)}${reports}`,
  `\\b${source} ${some(6)}${negated} ${some(3)}${supplies}`,
  `\\b${negated} ${some(3)}${supplies}\\w* ${some(3)}${source}`,
  `\\b(?:no|not ${some(2)}(?:enough|any)|insufficient|without|lacks?|lacking|lack of|missing) ${some(3)}(?:mention|evidence|context|indication|${source})\\b`,
  `\\b(?:information|answer|context) (?:is|was) (?:not|insufficient|unavailable|unknown)\\b`,
  `\\b(?:can|could) not be (?:answer|determin|found|confirm|verifi|establish|infer|identif|conclud)`,
].map((form) => new RegExp(form, "iu"));

/** Contrasts what is stated with what is not: "It tells of trains, but not of fares." */
const contrast =
  /,? \b(?:but|however|yet|although|though|whereas)\b,?|;|,(?<=^(?:while|although|though)\b[^,]*,)/iu;

/** Refers the reader elsewhere. */
const refers =
  /\b(?:recommend|suggest|advis|best|should|may|might|could|can|need|want)\w* (?:[\w']+ ){0,3}(?:check|consult|visit|contact|refer|ask|reach|look|see)\w*\b/iu;
const courtesies =
  /\b(?:sorry|apologi[sz]e|unfortunately|let me know|feel free|please|would you like|happy to help|if you (?:have|need|want|would|could|provide))\b/iu;

/**
 * Whether a response declines to answer, by rules instead of a model: "I do not know", "the
 * passages do not say" and the like, clause by clause. 1 if it declines and says little else, 0.5
 * if it declines in part, otherwise 0. A proxy for the IDK judge, and labelled as one wherever
 * it is used.
 *
 * Of 6,750 responses with published judge verdicts (RaguTeam of SemEval-2026 Task 8, and MTRAG's
 * own evaluations), 129 decline fully: the rules find 105 of them, with 14 false positives. On the
 * half whose conversations were not used to write the rules, they find 45 of 54, with 10 false
 * positives. English only.
 */
export function declinesByRule(response: string): Exclude<IdkVerdict, "unknown"> {
  const clauses = sentencesOf(response).flatMap((sentence) =>
    uncontracted(sentence)
      .split(contrast)
      .filter((clause) => /\w/u.test(clause)),
  );
  if (clauses.length === 0) return 1;
  const kinds = new Set(clauses.map(kindOf));
  if (!kinds.has("declining")) return 0;
  return kinds.has("informative") ? 0.5 : 1;
}

function kindOf(clause: string): "declining" | "courtesy" | "informative" {
  if (declines.some((rule) => rule.test(clause))) return "declining";
  const isCourtesy = clause.endsWith("?") || refers.test(clause) || courtesies.test(clause);
  return isCourtesy ? "courtesy" : "informative";
}

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
 * is not an offer, asks anywhere what was meant, or tells the user to clarify something. A proxy
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

/** The non-empty sentences and lines of a text, trimmed; "U.S." does not end a sentence. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=(?:[^\s.]{2}|\d)[.!?]["'”’)]?)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Expands contractions, so that rules treat "can't", "cannot" and "can not" alike. */
function uncontracted(sentence: string): string {
  return sentence
    .replaceAll("’", "'")
    .replaceAll(/\bcan(?:no|')t\b/giu, "can not")
    .replaceAll(/\bwon't\b/giu, "will not")
    .replaceAll(/(?<=\w)n't\b/giu, " not")
    .replaceAll(/(?<=\bi)'m\b/giu, " am")
    .replaceAll(/(?<=\b(?:we|you|they))'re\b/giu, " are")
    .replaceAll(/(?<=\b(?:i|we|you|they))'ve\b/giu, " have")
    .replaceAll(/\s+/gu, " ");
}
