import type { AnswerQuestion, AnswerOutcome, Question } from "../answer/answerer.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";

/**
 * Hands each answer to the writer before the client has the end of it, so that a rating finds it. The
 * answer does not wait until it is written.
 */
export function recordedAnswerer(
  ask: AnswerQuestion,
  { writer, now }: { readonly writer: FeedbackWriter; readonly now: () => Date },
): AnswerQuestion {
  const keep = (request: Question, asked: AnswerOutcome): AnswerOutcome => {
    if (asked.state !== "answered" || asked.outcome.trace === null) return asked;
    const { id, user = null, apiKey = null, conversation = null } = request;
    const { model, question, history } = request;
    const { answer, version, trace } = asked.outcome;
    const asking = { id, at: now(), user, apiKey, conversation, model: model.id };
    writer.keep({ ...asking, version, question, history, answer, trace });
    return asked;
  };
  // Not async: what `ask` throws at once becomes a status.
  return (request) => ask(request).then((asked) => keep(request, asked));
}
