import type { Blame, Metric, Score, Trainset } from "espalier";
import { randomSource } from "espalier";

/** What a metric said of one example. */
export interface Feedback {
  readonly feedback?: string;
  readonly blame?: readonly Blame[];
}

/** The same values without a word about them. */
export function blanked(metric: Metric): Metric {
  return withFeedback(metric, () => ({}));
}

/**
 * The same values with what was said of another training example: `said`, dealt out anew by a seeded
 * cycle, so that no example keeps its own. Examples outside `said` are judged without a word.
 */
export function shuffled(
  metric: Metric,
  said: ReadonlyMap<string, Feedback>,
  seed: number,
): Metric {
  const ids = randomSource(seed, "placebo/shuffled").shuffle([...said.keys()]);
  const donorOf = new Map(ids.map((id, place) => [id, ids[(place + 1) % ids.length] ?? id]));
  return withFeedback(metric, (id) => said.get(donorOf.get(id) ?? "") ?? {});
}

/** Of the examples that were scored; a trainset has examples that its metric does not apply to. */
export function feedbackOf(
  examples: Trainset["splits"]["train"],
  scores: readonly Score[],
): ReadonlyMap<string, Feedback> {
  return new Map(
    examples.flatMap(({ id }, place) => {
      const score = scores[place];
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
