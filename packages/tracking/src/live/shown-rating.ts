import type { TrackedRating } from "../../../../src/serve/index.ts";
import type { AnswerTraceOptions } from "../tracked/answer-trace.ts";

/** A rating as it may be sent: without the user's words, unless contents are asked for. */
export function shownRating(
  { rating, comment, correction }: TrackedRating,
  { hasContents, redacted }: AnswerTraceOptions,
): TrackedRating {
  const shown = (text: string | null): string | null =>
    hasContents && text !== null ? redacted(text) : null;
  return { rating, comment: shown(comment), correction: shown(correction) };
}
