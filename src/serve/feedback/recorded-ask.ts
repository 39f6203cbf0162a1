import { messageOf } from "../../errors/index.ts";
import type { Ask, Asked, AskRequest } from "../http/asker.ts";
import type { ServerLog } from "../http/server-log.ts";
import type { FeedbackStore } from "./open-feedback.ts";

/**
 * Keeps each answer before the client has the end of it, so that it can be rated at once. An answer that
 * cannot be kept is given all the same.
 */
export function recordedAsk(
  ask: Ask,
  {
    store,
    log,
    now,
  }: { readonly store: FeedbackStore; readonly log: ServerLog; readonly now: () => Date },
): Ask {
  const keep = (request: AskRequest, asked: Asked): Asked => {
    if (asked.state !== "answered" || asked.outcome.trace === null) return asked;
    const { id, user = null, model, question, history } = request;
    const { answer, version, trace } = asked.outcome;
    try {
      store.keep({
        id,
        at: now(),
        user,
        model: model.id,
        version,
        question,
        history,
        answer,
        trace,
      });
    } catch (error) {
      log("feedback-unwritten", { id, problem: messageOf(error) });
    }
    return asked;
  };
  // Not async: what `ask` throws at once becomes a status.
  return (request) => ask(request).then((asked) => keep(request, asked));
}
