import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Example, Trainset } from "espalier";
import { EspalierError } from "espalier";
import { readJsonl, trainset } from "espalier/trainset";
import { z } from "zod";
import { paragraphId } from "./paragraph-key.ts";

export { compoundQuestions } from "./compound-questions.ts";
export type { DecomposedLabels, DecomposedQuestionsOptions } from "./decomposed-questions.ts";
export { decomposedQuestions } from "./decomposed-questions.ts";
export type { OpenDomainQuestions } from "./open-domain-questions.ts";
export { openDomainQuestions } from "./open-domain-questions.ts";
export { paragraphKey } from "./paragraph-key.ts";
export { singleHopQuestions } from "./single-hop-questions.ts";

/** Sets of questions whose answer needs several paragraphs, with their licences. */
const sets = {
  hotpotqa: "CC BY-SA 4.0",
  "2wikimultihopqa": "Apache-2.0",
  musique: "CC BY 4.0",
} as const;

export type MultiHopSet = keyof typeof sets;

export interface MultiHopInput {
  readonly question: string;
  /** Empty: these sets are single-turn. */
  readonly history: readonly [];
}

export interface MultiHopLabels {
  readonly answers: readonly string[];
  /** Grade 1 for each supporting paragraph, by its id in the collection. */
  readonly relevant: Readonly<Record<string, number>>;
  /** The set's own name for it: `2hop`, `bridge`, `comparison`... */
  readonly questionType: string;
}

const paragraph = z.object({ title: z.string(), text: z.string(), is_supporting: z.boolean() });
const questionRow = z.looseObject({
  id: z.string(),
  type: z.string().nullish(),
  question: z.string(),
  answers: z.array(z.string()).min(1),
  paragraphs: z.array(paragraph),
});

export interface MultiHopOptions {
  readonly set: MultiHopSet;
  /** Folder with `SET_train.jsonl` and `SET_dev.jsonl`. */
  readonly folder: string;
  /** Id in the collection of each paragraph; see `paragraphKey`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Share of the training rows kept for `val`, in (0, 1); every n-th row. @default 1/3 */
  readonly valShare?: number;
}

/**
 * A multi-hop set over the union of its paragraphs: the set's train rows are divided into train and
 * val, its dev rows are the test split, to be reported on once.
 *
 * @throws EspalierError `file-missing`; `dataset-invalid` if a file marks no paragraph as
 * supporting; `passage-unknown` if a supporting paragraph is not in the collection
 */
export async function multiHop({
  set,
  folder,
  ids,
  valShare = 1 / 3,
}: MultiHopOptions): Promise<Trainset<MultiHopInput, MultiHopLabels>> {
  const every = Math.max(2, Math.round(1 / valShare));
  const known = await examplesOf(join(folder, `${set}_train.jsonl`), ids);
  return trainset({
    name: set,
    version: "1",
    licence: sets[set],
    source: "dev and train samples with paragraphs",
    splits: {
      train: known.filter((_, index) => index % every !== 0),
      val: known.filter((_, index) => index % every === 0),
      test: await examplesOf(join(folder, `${set}_dev.jsonl`), ids),
    },
  });
}

async function examplesOf(
  path: string,
  ids: ReadonlyMap<string, string>,
): Promise<Example<MultiHopInput, MultiHopLabels>[]> {
  if (!existsSync(path)) {
    throw new EspalierError({
      code: "file-missing",
      problem: "A multi-hop file is missing",
      where: path,
      expected: "one question per line, with its paragraphs",
    });
  }
  const rows = await readJsonl(path, questionRow);
  if (!rows.some((row) => row.paragraphs.some(isSupporting))) throw notJudged(path, rows.length);
  return rows.map((row) => ({
    id: row.id,
    input: { question: row.question, history: [] },
    labels: {
      answers: row.answers,
      questionType: row.type ?? "",
      relevant: Object.fromEntries(
        row.paragraphs.filter(isSupporting).map((found) => [paragraphId(found, ids, row.id), 1]),
      ),
    },
  }));
}

type Paragraph = z.infer<typeof paragraph>;

function isSupporting(found: Paragraph): boolean {
  return found.is_supporting;
}

function notJudged(path: string, questions: number): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: "The questions have no relevance judgements, so nothing can be judged by them",
    where: path,
    expected: "`is_supporting: true` on the paragraphs that an answer needs",
    got: `${questions} of ${questions} questions without any`,
    fix: "Use rows that have them, such as those of train and dev.",
  });
}
