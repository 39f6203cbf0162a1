/**
 * What the rehearsal LM can do with the material of one call: search queries, notes, labels and
 * answers, all extractive and steered by behaviours. Works only on words, stems and positions;
 * knows nothing about subject matter, field names, requests or servers.
 */
export { avoidRepeats } from "./query/avoid-repeats.ts";
export { carryConversation } from "./query/carry-conversation.ts";
export { carryReplies } from "./query/carry-replies.ts";
export { carryTopic } from "./query/carry-topic.ts";
export { keywordsOnly } from "./query/keywords-only.ts";
export { useFindings, useGaps, useSuggestions } from "./query/use-notes.ts";
export { varyQueries } from "./query/vary-queries.ts";
export type { LabelChance } from "./judging/label-chance.ts";
export type { Material } from "./material/material.ts";
export { readMaterial } from "./material/material.ts";
export {
  admitMissing,
  bareAnswer,
  briefAnswer,
  citePassages,
  groundAnswer,
  thoroughAnswer,
} from "./answer/write-answer.ts";
export { splitAsks } from "./question/split-asks.ts";
export { isNoAnswer, refusalDegree } from "./material/refusal.ts";
export {
  askFirstThings,
  fillInAnswers,
  nameSubject,
  splitAsksApart,
} from "./answer/subquestions.ts";
export { nameEntities } from "./answer/write-notes.ts";
export type { NextCall } from "./calling/next-calls.ts";
export { nextCalls } from "./calling/next-calls.ts";
export type { WrittenReply, WriterTools } from "./reply/write-reply.ts";
export { yesOrNo } from "./reply/offered-words.ts";
export { writeReply, writeText } from "./reply/write-reply.ts";
export { chooseLabel, leniency, strictness } from "./judging/choose-label.ts";
