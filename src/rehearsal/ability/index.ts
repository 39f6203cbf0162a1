/**
 * What the rehearsal can do with the material of one call: search queries, notes, labels and answers,
 * each extractive and each steered by behaviours. Works on words, stems and positions alone; knows
 * no subject matter, no field name, and nothing of requests or servers.
 */
export { avoidRepeats } from "./query/avoid-repeats.ts";
export { carryConversation } from "./query/carry-conversation.ts";
export { carryReplies } from "./query/carry-replies.ts";
export { carryTopic } from "./query/carry-topic.ts";
export { keywordsOnly } from "./query/keywords-only.ts";
export { useFindings, useGaps, useSuggestions } from "./query/use-notes.ts";
export { varyQueries } from "./query/vary-queries.ts";
export type { LabelChance } from "./label-chance.ts";
export type { Material } from "./material.ts";
export { readMaterial } from "./material.ts";
export {
  admitMissing,
  bareAnswer,
  briefAnswer,
  citePassages,
  groundAnswer,
  thoroughAnswer,
} from "./write-answer.ts";
export { splitAsks } from "./question/split-asks.ts";
export { isNoAnswer, refusalDegree } from "./refusal.ts";
export { askFirstThings, fillInAnswers, nameSubject, splitAsksApart } from "./subquestions.ts";
export { nameEntities } from "./write-notes.ts";
export type { WrittenReply, WriterTools } from "./write-reply.ts";
export { yesOrNo } from "./offered-words.ts";
export { writeReply, writeText } from "./write-reply.ts";
export { chooseLabel, leniency, strictness } from "./choose-label.ts";
