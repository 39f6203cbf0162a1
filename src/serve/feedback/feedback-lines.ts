import { gaugeBy } from "../http/prometheus.ts";
import type { FeedbackStore } from "./open-feedback.ts";

/** What is kept now, in Prometheus' text format. */
export function feedbackLines(store: FeedbackStore): readonly string[] {
  const rated = store.preferences();
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
  return [
    ...gaugeBy({ name: "espalier_feedback_ratings", help: "Ratings that are kept." }, ratings),
    ...gaugeBy(
      {
        name: "espalier_feedback_preference",
        help: "Share of ratings that are up, and its 95 % Wilson interval.",
      },
      shares,
    ),
  ];
}
