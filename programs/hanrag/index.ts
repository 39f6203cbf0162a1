export { hanrag } from "./hanrag.ts";
export type { AblatedPart, EmptyEvidence, HanragOptions, Routing } from "./options.ts";
export type { SolvedStep } from "./thought.ts";
export type { AnswerWithFeedbackOptions } from "./metric/answer-with-feedback.ts";
export { answerWithFeedback } from "./metric/answer-with-feedback.ts";
export type { HanragLabels, HanragOutput } from "./metric/labels.ts";
