import type { JsonObject } from "../../../../src/contract/index.ts";
import { evaluationEvent, spanOf } from "./otlp-span.ts";

/** What a user thought of an answer whose trace was sent before: a step of its own below it. */
export interface RatedTrace {
  readonly traceId: string;
  readonly ratedAtMs: number;
  readonly rating: "up" | "down";
  readonly comment: string | null;
  readonly correction: string | null;
}

/** Its time is the rating's; the answer's own span has ended by then. */
export function ratingSpan({
  traceId,
  ratedAtMs,
  rating,
  comment,
  correction,
}: RatedTrace): JsonObject {
  const span = spanOf(
    {
      path: `user_rating/${ratedAtMs}`,
      parent: "",
      name: "user_rating",
      startMs: 0,
      latencyMs: 0,
      failed: false,
      attributes: {
        "gen_ai.evaluation.score.label": rating,
        ...(correction !== null && { "espalier.correction": correction }),
      },
    },
    { traceId, startedAtMs: ratedAtMs },
  );
  const value = rating === "up" ? 1 : 0;
  return {
    ...span,
    events: [evaluationEvent(ratedAtMs, "user_rating", value, comment ?? undefined)],
  };
}
