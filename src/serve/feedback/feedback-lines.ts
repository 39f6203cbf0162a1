import { counterBy, gauge, gaugeBy } from "../../internal/index.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";
import { preferenceOf } from "./preference.ts";

/** State of the stored feedback after the last batch, in Prometheus' text format; reads no file. */
export function feedbackLines(writer: FeedbackWriter): readonly string[] {
  const { tallies, unkept, waiting, isWriting } = writer.status();
  const rated = tallies.map(preferenceOf);
  const ratings = rated.flatMap(({ model, version, up, down }) => [
    { labels: { model, version, rating: "up" }, value: up },
    { labels: { model, version, rating: "down" }, value: down },
  ]);
  const shares = rated.flatMap(({ model, version, preference }) =>
    preference === null
      ? []
      : (["low", "ratio", "high"] as const).map((bound) => ({
          labels: { model, version, bound },
          value: preference[bound],
        })),
  );
  const lost = Object.entries(unkept).map(([reason, value]) => ({ labels: { reason }, value }));
  return [
    ...gaugeBy({ name: "espalier_feedback_ratings", help: "Stored ratings." }, ratings),
    ...gaugeBy(
      {
        name: "espalier_feedback_preference",
        help: "Share of positive ratings, with its 95 % Wilson interval.",
      },
      shares,
    ),
    ...counterBy(
      {
        name: "espalier_feedback_unkept_total",
        help: "Answers that could not be stored, by reason.",
      },
      lost,
    ),
    ...gauge({ name: "espalier_feedback_waiting", help: "Answers not yet written." }, waiting),
    ...gauge(
      { name: "espalier_feedback_writing", help: "1 if the last write to the file succeeded." },
      isWriting ? 1 : 0,
    ),
  ];
}
