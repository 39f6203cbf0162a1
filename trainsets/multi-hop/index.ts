/**
 * Questions that a search must answer, one or several hops away, from the files that publishers
 * ship, with the passages to search.
 */
export { compoundQuestions } from "./compound-questions.ts";
export { paragraphKey } from "./paragraph-key.ts";
export type { QuestionSet, QuestionSetLabels, QuestionSetOptions } from "./question-set.ts";
export { questionSet } from "./question-set.ts";
export type { QuestionSetName } from "./sets.ts";
export { questionSets } from "./sets.ts";
export { singleHopQuestions } from "./single-hop-questions.ts";
