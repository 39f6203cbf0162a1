import type { AnswerOutcome, AnswerQuestion, Question } from "../answer/answer-question.ts";
import { onceEnded } from "../answer/answer-question.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";

/**
 * Hands each answer to the writer before the client has the end of it, so that a rating finds it.
 * The answer does not wait until it is written.
 */
export function recordedAnswerer(
  answer: AnswerQuestion,
  { writer, now }: { readonly writer: FeedbackWriter; readonly now: () => Date },
): AnswerQuestion {
  const keep = (request: Question, ended: AnswerOutcome): AnswerOutcome => {
    if (ended.state !== "answered" || ended.outcome.trace === null) return ended;
    const { id, user = null, apiKey = null, conversation = null } = request;
    const { model, question, history } = request;
    const { answer: text, version, trace } = ended.outcome;
    const asking = { id, at: now(), user, apiKey, conversation, model: model.id };
    writer.keep({ ...asking, version, question, history, answer: text, trace });
    return ended;
  };
  return (request) => onceEnded(answer(request), (ended) => keep(request, ended));
}
