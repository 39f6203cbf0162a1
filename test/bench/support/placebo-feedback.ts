import type { Blame, Metric, Score, Trainset } from "espalier";
import { randomSource } from "espalier";

/** A metric's feedback on one example. */
export interface Feedback {
  readonly feedback?: string;
  readonly blame?: readonly Blame[];
}

/** The same values without feedback. */
export function blanked(metric: Metric): Metric {
  return withFeedback(metric, () => ({}));
}

/**
 * The same values with the feedback on another training example: a seeded cycle permutes `said`, so
 * that no example keeps its own. Examples outside `said` get no feedback.
 */
export function shuffled(
  metric: Metric,
  said: ReadonlyMap<string, Feedback>,
  seed: number,
): Metric {
  const ids = randomSource(seed, "placebo/shuffled").shuffle([...said.keys()]);
  const donorOf = new Map(ids.map((id, index) => [id, ids[(index + 1) % ids.length] ?? id]));
  return withFeedback(metric, (id) => said.get(donorOf.get(id) ?? "") ?? {});
}

/** Feedback on the scored examples; a metric may not apply to some examples of its trainset. */
export function feedbackOf(
  examples: Trainset["splits"]["train"],
  scores: readonly Score[],
): ReadonlyMap<string, Feedback> {
  return new Map(
    examples.flatMap(({ id }, index) => {
      const score = scores[index];
      return score?.kind === "scored" ? [[id, feedbackIn(score)]] : [];
    }),
  );
}

function feedbackIn({ feedback, blame }: Feedback): Feedback {
  return {
    ...(feedback === undefined ? {} : { feedback }),
    ...(blame === undefined ? {} : { blame }),
  };
}

function withFeedback(metric: Metric, feedbackFor: (id: string) => Feedback): Metric {
  return {
    ...metric,
    doScore: async (judged) => {
      const score = await metric.doScore(judged);
      if (score.kind !== "scored") return score;
      const { feedback: _, blame: __, ...rest } = score;
      return { ...rest, ...feedbackFor(judged.example.id) };
    },
  };
}
