import type { Trainset } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import { dealClusters } from "../deal-clusters.ts";
import { linkedClusters } from "../linked-clusters.ts";
import type { RoutedQuestionInput, RoutedQuestionLabels } from "../routed-question.ts";
import { paragraphId } from "./paragraph-key.ts";

const singleHopRow = z.looseObject({
  // The multi-hop question that it is a step of, and the step's number.
  id: z.string().regex(/^.+#\d+$/, "an id of the form QUESTION#STEP"),
  split: z.enum(["train", "dev"]),
  question: z.string(),
  answers: z.array(z.string()).min(1),
  support: z.tuple([z.object({ title: z.string(), text: z.string() })]),
});
type SingleHopRow = z.infer<typeof singleHopRow>;

/**
 * Self-contained steps of MuSiQue's questions, each with its paragraph (CC BY 4.0), as
 * `singlehop_from_musique.jsonl`: the source of HANRAG's single-step questions. Steps of one
 * question, and questions about one paragraph, form a cluster; a cluster with a dev row is test,
 * the others are assigned to train and val, two to one.
 *
 * @param ids Id in MuSiQue's collection of each paragraph; see `paragraphKey`.
 * @throws EspalierError `file-missing`; `file-malformed` with the line; `passage-unknown` if a
 * paragraph is not in the collection
 */
export async function singleHopQuestions(
  path: string,
  ids: ReadonlyMap<string, string>,
): Promise<Trainset<RoutedQuestionInput, RoutedQuestionLabels>> {
  const rows = await readJsonl(path, singleHopRow);
  const clusters = linkedClusters(rows, (row) => [
    `question ${row.id.slice(0, row.id.lastIndexOf("#"))}`,
    `passage ${paragraphId(row.support[0], ids, row.id)}`,
  ]).map((members) => ({
    id: members[0]?.id ?? "",
    members,
    strata: members.map(() => "single-step"),
    isTest: members.some(({ split }) => split === "dev"),
  }));
  const dealt = dealClusters(
    clusters.filter(({ isTest }) => !isTest),
    { train: 2 / 3, val: 1 / 3 },
  );
  const inSplit = (split: "train" | "val" | "test") =>
    clusters
      .filter(({ id }) => (dealt.get(id) ?? "test") === split)
      .flatMap(({ id, members }) => members.map((row) => exampleOf(row, id, ids)));
  return trainset({
    name: "musique-single-hop",
    version: "1",
    licence: "CC BY 4.0",
    source: "sub-questions of MuSiQue",
    splits: { train: inSplit("train"), val: inSplit("val"), test: inSplit("test") },
  });
}

function exampleOf(
  { id, question, answers, support }: SingleHopRow,
  cluster: string,
  ids: ReadonlyMap<string, string>,
) {
  const passageId = paragraphId(support[0], ids, id);
  const labels: RoutedQuestionLabels = {
    answers,
    relevant: { [passageId]: 1 },
    route: "single-step",
    questionType: "factoid",
    decomposition: [{ question, answer: answers[0] ?? "", passageId }],
  };
  return { id, cluster, input: { question }, labels };
}
