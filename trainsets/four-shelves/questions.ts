import { resolve } from "node:path";
import type { Example, SplitName, Trainset } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import { dealClusters } from "../deal-clusters.ts";
import { linkedClusters } from "../linked-clusters.ts";
import type { RoutedQuestionInput, RoutedQuestionLabels } from "../routed-question.ts";
import { questionRoutes } from "../routed-question.ts";

const questionRow = z.strictObject({
  id: z.string(),
  route: z.enum(questionRoutes),
  questionType: z.string(),
  question: z.string(),
  answers: z.array(z.string()).min(1),
  decomposition: z.array(
    z.strictObject({ question: z.string(), answer: z.string(), passageId: z.string() }),
  ),
});
type QuestionRow = z.infer<typeof questionRow>;

/** The same shares as for the conversations: selection needs more examples than learning. */
const shares = { train: 0.25, val: 0.4, test: 0.35 } as const;

/**
 * Single questions over the passages of the four shelves, of our own writing, in the four kinds
 * that a router distinguishes. Questions that share a passage, directly or through others, form one
 * cluster; whole clusters are assigned to the splits, with the same shares of each kind as far as
 * possible.
 *
 * @example
 * const { splits } = await fourShelvesQuestions();
 * const complex = splits.val.filter(({ labels }) => labels.route === "complex");
 */
export async function fourShelvesQuestions(): Promise<
  Trainset<RoutedQuestionInput, RoutedQuestionLabels>
> {
  const rows = await readJsonl(resolve(import.meta.dirname, "questions.jsonl"), questionRow);
  const clusters = linkedClusters(rows, ({ decomposition }) =>
    decomposition.map(({ passageId }) => passageId),
  ).map((members) => ({ id: members[0]?.id ?? "", members }));
  const splitOf = dealClusters(
    clusters.map(({ id, members }) => ({ id, strata: members.map(({ route }) => route) })),
    shares,
  );
  const inSplit = (split: SplitName) =>
    clusters
      .filter(({ id }) => splitOf.get(id) === split)
      .flatMap(({ id, members }) => members.map((row) => exampleOf(row, id)));
  return trainset({
    name: "four-shelves-questions",
    version: "1",
    licence: "Apache-2.0",
    source: "own writing",
    splits: { train: inSplit("train"), val: inSplit("val"), test: inSplit("test") },
  });
}

function exampleOf(
  { id, question, decomposition, ...labels }: QuestionRow,
  cluster: string,
): Example<RoutedQuestionInput, RoutedQuestionLabels> {
  return {
    id,
    cluster,
    input: { question },
    labels: {
      ...labels,
      decomposition,
      relevant: Object.fromEntries(decomposition.map(({ passageId }) => [passageId, 1])),
    },
  };
}
