import type { IdkVerdict } from "./conditioning.ts";
import { sentencesOf, uncontracted } from "./sentences-of.ts";

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

/** Contrasts what is stated with what is not: "It abilities of trains, but not of fares." */
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
 * if it declines in part, otherwise 0. A stand-in for the IDK judge, and labelled as one wherever
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
