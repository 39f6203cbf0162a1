import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Example, SplitName, Trainset } from "espalier";
import { EspalierError } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { trainset } from "espalier/trainset";
import { dealClusters } from "../deal-clusters.ts";
import type { RoutedQuestionInput, RoutedQuestionLabels, SubQuestion } from "../routed-question.ts";
import { answerAliases } from "./answer-aliases.ts";
import type { Collection } from "./collection.ts";
import { collection } from "./collection.ts";
import { evidenceParagraphs } from "./evidence-paragraphs.ts";
import { readQuestions } from "./layouts/index.ts";
import { questionFiles } from "./question-files.ts";
import type { SetQuestion } from "./set-question.ts";
import type { QuestionSetName, SetDescription } from "./sets.ts";
import { questionSets } from "./sets.ts";
import { missingShards, shardsText } from "./shards.ts";

export interface QuestionSetOptions {
  readonly set: QuestionSetName;
  /** Folder with the files of the set, as its publisher names them; see `questionFiles`. */
  readonly folder: string;
  /** The passages to search. @default the union of the paragraphs that come with the questions */
  readonly corpus?: Corpus | undefined;
  /**
   * Most questions to take from the training file, and from the other, drawn by the hash of their
   * ids. @default all
   */
  readonly sample?: number | undefined;
  /** How to split a set without a training file. @default "test", all of it */
  readonly withoutTrain?: "test" | "deal";
  /** Receives a sentence about anything left out. @default none */
  readonly note?: (sentence: string) => void;
}

export interface QuestionSet {
  readonly trainset: Trainset<RoutedQuestionInput, QuestionSetLabels>;
  /** Absent if the set has no passages of its own and none were given. */
  readonly corpus?: Corpus;
}

export interface QuestionSetLabels extends Omit<RoutedQuestionLabels, "decomposition"> {
  /** Number of steps that the set says an answer takes; empty if it does not say. */
  readonly hops: string;
  /**
   * What has to be found out, in order, with earlier answers filled in; empty if the set does not
   * say. A step has no passage if its title names none, or two.
   */
  readonly decomposition: readonly (Omit<SubQuestion, "passageId"> & {
    readonly passageId?: string;
  })[];
}

type SetExample = Example<RoutedQuestionInput, QuestionSetLabels>;

/**
 * A set of questions with the passages to search for them, from files as publishers ship them:
 * HotpotQA, 2WikiMultihopQA, MuSiQue, SQuAD 1.1 and 2.0, Natural Questions and NQ-open, TriviaQA,
 * DPR's samples, the compound benchmark. Every third cluster of the training file is val; the dev
 * file is the test split. Questions without an answer are left out and counted.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line; `dataset-invalid` if no
 * question has an answer; `passage-unknown` if a given collection lacks a supporting paragraph
 */
export async function questionSet({
  set,
  folder,
  corpus,
  sample = Infinity,
  withoutTrain = "test",
  note = () => {},
}: QuestionSetOptions): Promise<QuestionSet> {
  const description: SetDescription = questionSets[set];
  const files = questionFiles(folder, set);
  const searched = collection(corpus);
  if (files.ignored.length > 0) {
    note(`${set}: ${shardsText(files.test)} is read, not ${files.ignored.join(", ")}.`);
  }
  const read = async (paths: readonly string[]): Promise<readonly SetExample[]> => {
    const lacking = missingShards(paths);
    if (lacking > 0)
      note(
        `${set}: ${lacking === 1 ? "1 shard is" : `${lacking} shards are`} missing among ${shardsText(paths)}.`,
      );
    return paths.length === 0 ? [] : examplesOf(paths, { set, sample, searched, note });
  };
  const test = await read(files.test);
  const inTest = new Set(test.flatMap(({ id, cluster = id }) => [id, cluster]));
  const forTraining = await read(files.train);
  const train = forTraining.filter(
    ({ id, cluster = id }) => !inTest.has(id) && !inTest.has(cluster),
  );
  const shared = forTraining.length - train.length;
  if (shared > 0) {
    note(
      `${set}: ${shared} of ${forTraining.length} questions read from ${shardsText(files.train)} share an id or a cluster with test and are left out.`,
    );
  }
  const splits = splitsOf(train, test, withoutTrain);
  if (files.train.length === 0 && withoutTrain === "test") {
    note(
      `${set}: there is no training file: all questions are in test. To optimize, set \`withoutTrain: "deal"\`.`,
    );
  }
  const made = searched.made();
  return {
    trainset: trainset({
      name: `${set}-questions`,
      version: "1",
      licence: description.licence,
      source: "files of its publisher, or samples with paragraphs",
      splits,
    }),
    ...(made !== undefined && { corpus: made }),
  };
}

interface ReadOptions {
  readonly set: QuestionSetName;
  readonly sample: number;
  readonly searched: Collection;
  readonly note: (sentence: string) => void;
}

async function examplesOf(
  paths: readonly string[],
  { set, sample, searched, note }: ReadOptions,
): Promise<readonly SetExample[]> {
  const [path = ""] = paths;
  const { mark }: SetDescription = questionSets[set];
  const kept = new Map<string, SetQuestion>();
  let [withoutAnswer, repeated, all] = [0, 0, 0];
  for await (const { paragraphs, ...question } of questionsIn(paths)) {
    if (question.dataset !== undefined && !mark.test(question.dataset)) continue;
    all++;
    searched.add(paragraphs);
    if (question.answers.length === 0) withoutAnswer++;
    else if (kept.has(question.id)) repeated++;
    else kept.set(question.id, { ...question, paragraphs: [] });
  }
  if (all === 0) throw ofOtherSets(shardsText(paths), set);
  const drawn = drawnBy(sample, [...kept.values()]);
  for (const { evidence = [] } of drawn) {
    searched.add(await evidenceParagraphs(evidenceFolder(path), evidence));
  }
  const { route }: SetDescription = questionSets[set];
  const wanted = new Set(drawn.flatMap(({ answerId }) => answerId ?? []));
  const aliases = await answerAliases(path, wanted);
  const examples = drawn.map((question) => {
    const others = aliases.get(question.answerId ?? "") ?? [];
    const answers = [...new Set([...question.answers, ...others])];
    return exampleOf({ ...question, answers }, route, searched);
  });
  const lacking = examples.filter(({ missing }) => missing > 0).length;
  const told = [
    [withoutAnswer, "have no answer and are left out"],
    [repeated, "repeat an id and are left out"],
    [kept.size - drawn.length, "are not in the sample"],
    [lacking, "need a paragraph that neither they nor the collection contain"],
  ] as const;
  for (const [count, what] of told) {
    if (count > 0) note(`${set}: ${count} of ${all} questions in ${shardsText(paths)} ${what}.`);
  }
  return examples.map(({ example }) => example);
}

async function* questionsIn(paths: readonly string[]): ReturnType<typeof readQuestions> {
  for (const path of paths) yield* readQuestions(path);
}

function ofOtherSets(path: string, set: QuestionSetName): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: `The file has no questions of ${set}`,
    where: path,
    expected: "rows whose `dataset` names the set",
  });
}

/** TriviaQA's `qa/` and `evidence/` lie side by side. */
function evidenceFolder(path: string): string {
  const beside = join(dirname(path), "evidence");
  return existsSync(beside) ? beside : join(dirname(dirname(path)), "evidence");
}

function drawnBy(count: number, questions: readonly SetQuestion[]): readonly SetQuestion[] {
  if (questions.length <= count) return questions;
  const drawn = new Set(
    questions
      .map(({ id }) => ({ id, hash: createHash("sha256").update(id).digest("hex") }))
      .toSorted((left, right) => (left.hash < right.hash ? -1 : 1))
      .slice(0, count)
      .map(({ id }) => id),
  );
  return questions.filter(({ id }) => drawn.has(id));
}

function exampleOf(
  question: SetQuestion,
  route: SetDescription["route"],
  searched: Collection,
): { readonly example: SetExample; readonly missing: number } {
  const { id, cluster, answers, type, support, steps } = question;
  const { byTitle, missing } = searched.idsOf(question);
  const hops = steps.length > 0 ? steps.length : support.length;
  return {
    missing: missing.length,
    example: {
      id,
      ...(cluster === undefined ? {} : { cluster }),
      input: { question: question.question },
      labels: {
        answers,
        questionType: type,
        hops: hops === 0 ? "" : String(hops),
        relevant: Object.fromEntries([...byTitle.values()].flat().map((passage) => [passage, 1])),
        route,
        decomposition: steps.map(({ supportTitle = "", ...step }) => {
          const [passageId, another] = byTitle.get(supportTitle) ?? [];
          const isKnown = passageId !== undefined && another === undefined;
          return { ...step, ...(isKnown ? { passageId } : {}) };
        }),
      },
    },
  };
}

function splitsOf(
  train: readonly SetExample[],
  test: readonly SetExample[],
  withoutTrain: "test" | "deal",
): Readonly<Record<SplitName, readonly SetExample[]>> {
  const clusterOf = ({ id, cluster = id }: SetExample): string => cluster;
  if (train.length === 0 && withoutTrain === "deal") {
    const clusters = [...Map.groupBy(test, clusterOf)].map(([id, members]) => ({
      id,
      strata: members.map(({ labels }) => labels.questionType),
    }));
    const dealt = dealClusters(clusters, { train: 0.5, val: 0.25, test: 0.25 });
    const inSplit = (split: SplitName) => test.filter((row) => dealt.get(clusterOf(row)) === split);
    return { train: inSplit("train"), val: inSplit("val"), test: inSplit("test") };
  }
  const inVal = new Set([...new Set(train.map(clusterOf))].filter((_, index) => index % 3 === 0));
  return {
    train: train.filter((row) => !inVal.has(clusterOf(row))),
    val: train.filter((row) => inVal.has(clusterOf(row))),
    test,
  };
}
