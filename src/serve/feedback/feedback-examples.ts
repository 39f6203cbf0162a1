import type { JsonObject, Trace } from "../../contract/index.ts";
import { sha256 } from "../../internal/index.ts";
import type { RatedCompletion } from "./kept-completion.ts";

/** A rated answer as a row that `readExamples` reads. */
export interface FeedbackExample {
  readonly id: string;
  /** Of the program, as it was run. */
  readonly input: JsonObject;
  readonly labels: {
    readonly rating: "up" | "down";
    /** The correction, or the answer that was liked; `null` where nobody knows better. */
    readonly answer: string | null;
    /** The answer that was not liked. */
    readonly rejected: string | null;
  };
  /**
   * Answers of one conversation are not independent: its id, or for a row without one, what it
   * began with.
   */
  readonly cluster: string;
}

/** What is kept beside a row, for people and for who builds a better trainset. */
export interface FeedbackTrace {
  readonly id: string;
  readonly at: string;
  readonly model: string;
  readonly version: string;
  readonly comment: string | null;
  readonly trace: Trace;
}

/** Turns a rated answer into a row of a trainset. A user stands in neither part. */
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
