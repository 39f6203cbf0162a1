import { EspalierError } from "espalier";
import { readJsonl } from "espalier/trainset";
import { z } from "zod";

export interface RecordedAnswer {
  /** The question's id in its set. */
  readonly id: string;
  readonly prediction: string;
  readonly answers: readonly string[];
}

export interface RecordedAnswers {
  readonly rows: readonly RecordedAnswer[];
  /** Figures of the set's official script over all rows: `em`, `f1`..., in [0, 1]. */
  readonly officialMetrics: Readonly<Record<string, number>>;
}

const answersFile = z.looseObject({
  predictions: z.record(z.string(), z.string()),
  ground_truth: z.record(z.string(), z.array(z.string()).min(1)),
  // The script adds its commit and a count.
  official_metrics: z.record(z.string(), z.union([z.number(), z.string()])),
});

/**
 * Predictions with gold answers and the official figures, in IRCoT's layout: one JSON value with
 * the keys `predictions`, `ground_truth`, `official_metrics`, as
 * `hotpotqa500_llama31-8b_ircot.json` (xindili-cmu/anlp-project-multihop @ df0d575, Apache-2.0).
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the field, or if a question has a
 * prediction and no answer, or an answer and no prediction
 */
export async function recordedAnswers(path: string): Promise<RecordedAnswers> {
  const [file, ...more] = await readJsonl(path, answersFile);
  if (file === undefined || more.length > 0) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file is not one JSON value on one line",
      got: `${more.length + 1} lines`,
      where: path,
    });
  }
  const { predictions, ground_truth: answers, official_metrics: metrics } = file;
  const ids = new Set([...Object.keys(predictions), ...Object.keys(answers)]);
  return {
    rows: [...ids].map((id) => {
      const prediction = predictions[id];
      const gold = answers[id];
      if (prediction === undefined || gold === undefined) throw halfRow(id, gold, path);
      return { id, prediction, answers: gold };
    }),
    officialMetrics: Object.fromEntries(
      Object.entries(metrics).flatMap(([name, value]) =>
        typeof value === "number" && name !== "count" ? [[name, value] as const] : [],
      ),
    ),
  };
}

function halfRow(id: string, gold: unknown, path: string): EspalierError {
  const [there, missing] =
    gold === undefined ? ["predictions", "ground_truth"] : ["ground_truth", "predictions"];
  return new EspalierError({
    code: "file-malformed",
    problem: `Question "${id}" is only in \`${there}\``,
    expected: `the same ids in \`${missing}\``,
    where: path,
  });
}
