/** One typed signature per file: the contract of one language-model step. */
export { askClarification } from "./ask-clarification.ts";
export { buildNotes } from "./build-notes.ts";
export { classifyAnswerability } from "./classify-answerability.ts";
export { generateQueries } from "./generate-queries.ts";
export { writeCompleteAnswer } from "./write-complete-answer.ts";
export { writePartialAnswer } from "./write-partial-answer.ts";
