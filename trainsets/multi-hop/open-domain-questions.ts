import { createHash } from "node:crypto";
import type { Trainset } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import { dealClusters } from "../deal-clusters.ts";
import type { RoutedQuestionInput, RoutedQuestionLabels } from "../routed-question.ts";

const openDomainRow = z.looseObject({
  dataset: z.string(),
  question: z.string(),
  answers: z.array(z.string()).min(1).nullable(),
});

export interface OpenDomainQuestions {
  readonly trainset: Trainset<RoutedQuestionInput, RoutedQuestionLabels>;
  /** Number of rows left out because they have no answer. */
  readonly withoutAnswer: number;
}

/**
 * Questions of Natural Questions and TriviaQA with answers but no passages, as
 * `odqa_questions_nq200_trivia200.jsonl` (sampled by MIGRES): for answering from a model's
 * knowledge or over your own collection; nothing is marked relevant. Rows without an answer are
 * left out and counted. Half of each set is train, a quarter val, by the hash of the question.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 */
export async function openDomainQuestions(path: string): Promise<OpenDomainQuestions> {
  const rows = await readJsonl(path, openDomainRow);
  const examples = rows.flatMap(({ dataset, question, answers }) => {
    if (answers === null) return [];
    const labels: RoutedQuestionLabels = {
      answers,
      relevant: {},
      route: "single-step",
      questionType: dataset,
      decomposition: [],
    };
    const key = createHash("sha256").update(question).digest("hex").slice(0, 16);
    return [{ id: `${dataset}-${key}`, input: { question }, labels }];
  });
  const dealt = dealClusters(
    examples.map(({ id, labels }) => ({ id, strata: [labels.questionType] })),
    { train: 0.5, val: 0.25, test: 0.25 },
  );
  const inSplit = (split: string) => examples.filter(({ id }) => dealt.get(id) === split);
  return {
    withoutAnswer: rows.length - examples.length,
    trainset: trainset({
      name: "open-domain",
      version: "1",
      licence: "CC BY-SA 3.0 (Natural Questions); TriviaQA: as its site says",
      source: "samples of Natural Questions and TriviaQA by MIGRES",
      splits: { train: inSplit("train"), val: inSplit("val"), test: inSplit("test") },
    }),
  };
}
