import type { JsonObject, Trace } from "../../contract/index.ts";
import { sha256 } from "../../internal/index.ts";
import type { RatedCompletion } from "./kept-completion.ts";

/** A rated answer as a row that `readExamples` reads. */
export interface FeedbackExample {
  readonly id: string;
  /** The program's input, as it ran. */
  readonly input: JsonObject;
  readonly labels: {
    readonly rating: "up" | "down";
    /** The correction, or the liked answer; `null` if no good answer is known. */
    readonly answer: string | null;
    /** The disliked answer. */
    readonly rejected: string | null;
  };
  /**
   * Groups the answers of one conversation, which are not independent: its id, or its first message
   * for a row without one.
   */
  readonly cluster: string;
}

/** Context kept beside a row, for people and for tools that build a better trainset. */
export interface FeedbackTrace {
  readonly id: string;
  readonly at: string;
  readonly model: string;
  readonly version: string;
  readonly comment: string | null;
  readonly trace: Trace;
}

/** Turns a rated answer into a row of a trainset. Neither part names a user. */
export function feedbackExample({
  id,
  at,
  model,
  version,
  conversation,
  question,
  history: [first],
  answer,
  trace,
  rating,
  comment,
  correction,
}: RatedCompletion): { readonly example: FeedbackExample; readonly trace: FeedbackTrace } {
  return {
    example: {
      id,
      input: trace.input,
      labels: {
        rating,
        answer: correction ?? (rating === "up" ? answer : null),
        rejected: rating === "down" ? answer : null,
      },
      cluster: (conversation ?? sha256(first?.text ?? question)).slice(0, 16),
    },
    trace: { id, at: at.toISOString(), model, version, comment, trace },
  };
}
