import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Example, Trainset } from "espalier";
import { EspalierError } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import type { RoutedQuestionInput, RoutedQuestionLabels, SubQuestion } from "../routed-question.ts";
import { paragraphId } from "./paragraph-key.ts";

/** Sets by the route that HANRAG's router learns for them (appendix B.2), with their licences. */
const sets = {
  hotpotqa: { route: "complex", licence: "CC BY-SA 4.0" },
  "2wikimultihopqa": { route: "complex", licence: "Apache-2.0" },
  musique: { route: "complex", licence: "CC BY 4.0" },
  /** In the format of `scripts/build-compound-questions`. */
  compound: { route: "compound", licence: "that of the documents" },
} as const;

export interface DecomposedQuestionsOptions {
  readonly set: keyof typeof sets;
  /** Folder with `SET_dev.jsonl` and, if there is training data, `SET_train.jsonl`. */
  readonly folder: string;
  /** Id in the collection of each paragraph; see `paragraphKey`. */
  readonly ids: ReadonlyMap<string, string>;
}

export interface DecomposedLabels extends Omit<RoutedQuestionLabels, "decomposition"> {
  /**
   * What has to be found out, in order, with earlier answers filled in; empty if the set does not
   * say. A step has no passage if its title names none, or two.
   */
  readonly decomposition: readonly (Omit<SubQuestion, "passageId"> & {
    readonly passageId?: string;
  })[];
}

const questionRow = z.looseObject({
  id: z.string(),
  type: z.string().nullish(),
  /** The subject of a compound question; questions about one entity form one cluster. */
  entity: z.string().optional(),
  question: z.string(),
  answers: z.array(z.string()).min(1),
  paragraphs: z.array(
    z.object({ title: z.string(), text: z.string(), is_supporting: z.boolean() }),
  ),
  decomposition: z
    .array(
      z.looseObject({
        question: z.string(),
        /** With `#1` and the like filled in. */
        resolved: z.string().nullish(),
        answer: z.string(),
        support_title: z.string().nullish(),
      }),
    )
    .nullish(),
});
type QuestionRow = z.infer<typeof questionRow>;

/**
 * Questions of several steps, with their route and what has to be found out. Every third cluster of
 * the train rows is val; dev rows are the test split. For retrieval alone, see `multiHop`.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line; `passage-unknown` if a
 * supporting paragraph is not in the collection
 */
export async function decomposedQuestions({
  set,
  folder,
  ids,
}: DecomposedQuestionsOptions): Promise<Trainset<RoutedQuestionInput, DecomposedLabels>> {
  const { route, licence } = sets[set];
  const asExample = (row: QuestionRow): Example<RoutedQuestionInput, DecomposedLabels> => ({
    id: row.id,
    ...(row.entity === undefined ? {} : { cluster: row.entity }),
    input: { question: row.question },
    labels: { ...labelsOf(row, ids), route },
  });
  const learnt = join(folder, `${set}_train.jsonl`);
  const train = existsSync(learnt) ? await readJsonl(learnt, questionRow) : [];
  const clusters = [...new Set(train.map(clusterOf))];
  const inVal = new Set(clusters.filter((_, index) => index % 3 === 0));
  return trainset({
    name: `${set}-questions`,
    version: "1",
    licence,
    source: "train and dev samples with paragraphs",
    splits: {
      train: train.filter((row) => !inVal.has(clusterOf(row))).map(asExample),
      val: train.filter((row) => inVal.has(clusterOf(row))).map(asExample),
      test: (await testRows(join(folder, `${set}_dev.jsonl`))).map(asExample),
    },
  });
}

function clusterOf({ id, entity = id }: QuestionRow): string {
  return entity;
}

function labelsOf(
  { id, type, answers, paragraphs, decomposition }: QuestionRow,
  ids: ReadonlyMap<string, string>,
): Omit<DecomposedLabels, "route"> {
  const support = paragraphs
    .filter((paragraph) => paragraph.is_supporting)
    .map((paragraph) => ({ title: paragraph.title, passageId: paragraphId(paragraph, ids, id) }));
  return {
    answers,
    questionType: type ?? "",
    relevant: Object.fromEntries(support.map(({ passageId }) => [passageId, 1])),
    decomposition: (decomposition ?? []).map((step) => {
      const [named, another] = support.filter(({ title }) => title === step.support_title);
      const isKnown = named !== undefined && another === undefined;
      return {
        question: step.resolved ?? step.question,
        answer: step.answer,
        ...(isKnown ? { passageId: named.passageId } : {}),
      };
    }),
  };
}

async function testRows(path: string): Promise<readonly QuestionRow[]> {
  if (existsSync(path)) return readJsonl(path, questionRow);
  throw new EspalierError({
    code: "file-missing",
    problem: "A multi-hop file is missing",
    where: path,
    expected: "one question per line, with its paragraphs",
  });
}
