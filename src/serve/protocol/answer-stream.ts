import { linkedAbort } from "../../internal/index.ts";
import type { AnswerOutcome, Question } from "../answer/answer-question.ts";
import type { ChatEvent } from "../model/chat-run.ts";
import type { EventStream } from "./event-stream.ts";
import { eventStream } from "./event-stream.ts";
import type { ServeContext } from "./protocol-adapter.ts";

/** Callbacks for the progress of an answer and its end. */
export interface AnswerEvents {
  /**
   * The question was admitted. Events may come before: a program may report its first step at once.
   */
  readonly begin?: () => void;
  readonly event: (event: ChatEvent) => void;
  readonly end: (ended: AnswerOutcome) => void;
}

/**
 * Asks a question and streams its answer as server-sent events; returns the body of the response. A
 * client that disconnects ends the run.
 *
 * @param eventsOf makes the events of one answer; `send` sends the data of one event, and its type
 *   if the protocol names types; `say` sends a piece of the answer, see `EventStream`
 * @throws ApiError for a question that is refused at once: a status can still be sent
 */
export function answerStream(
  { ask, keepAliveMs }: Pick<ServeContext, "ask" | "keepAliveMs">,
  { request, ...question }: Omit<Question, "signal" | "onEvent"> & { readonly request: Request },
  eventsOf: (send: EventStream["send"], say: EventStream["say"]) => AnswerEvents,
): ReadableStream<Uint8Array> {
  const gone = linkedAbort([request.signal]);
  const stream = eventStream({ keepAliveMs, onCancel: () => gone.abort() });
  const { begin, event, end } = eventsOf(stream.send, stream.say);
  const start = ask({
    ...question,
    signal: gone.signal,
    onEvent: event,
  });
  if (start.state === "refused") {
    gone.release();
    throw start.error;
  }
  const finish = async (outcome: Promise<AnswerOutcome>): Promise<void> => {
    const ended = await outcome;
    gone.release();
    end(ended);
    stream.close();
  };
  begin?.();
  void finish(start.outcome);
  return stream.open();
}
