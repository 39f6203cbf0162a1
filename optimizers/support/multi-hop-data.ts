import { existsSync } from "node:fs";
import { join } from "node:path";
import { EspalierError } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { readCorpus } from "espalier/retrieval";
import { trainset } from "espalier/trainset";
import type { QuestionSet, QuestionSetName } from "../../trainsets/multi-hop/index.ts";
import {
  compoundQuestions,
  paragraphKey,
  questionSet,
  singleHopQuestions,
} from "../../trainsets/multi-hop/index.ts";
import { dataFolder } from "./data-folder.ts";
import type { RetrievalData } from "./retrieval-data.ts";

/** The samples of IRCoT and of those who compare with it have this many questions. */
const defaultSample = 500;

/**
 * A set of questions from the folder in ESPALIER_MULTIHOP_DIR, in its publisher's files, over the
 * passages in `SET_corpus.jsonl`, or else the union of its paragraphs. At most 500 questions of
 * each file are taken; ESPALIER_MULTIHOP_SAMPLE says another number, or `all`. Without a training
 * file all questions are test, and ESPALIER_MULTIHOP_SPLITS=deal splits them.
 *
 * @throws EspalierError `file-missing` if the variable or the set's files are missing;
 * `option-invalid`
 */
export async function questionsOf(set: QuestionSetName): Promise<QuestionSet> {
  const folder = dataFolder(
    "ESPALIER_MULTIHOP_DIR",
    `a folder with the questions of ${set}, and ${set}_corpus.jsonl.gz if they are not to be searched over their own paragraphs`,
  );
  return questionSet({
    set,
    folder,
    corpus: await corpusIn(folder, set),
    sample: sampleSize(),
    withoutTrain: process.env["ESPALIER_MULTIHOP_SPLITS"] === "deal" ? "deal" : "test",
    note: (sentence) => console.error(sentence),
  });
}

/** The same for a program that takes part in a conversation: one without turns before it. */
export async function multiHopData(set: QuestionSetName): Promise<RetrievalData> {
  const { trainset: questions, corpus } = await questionsOf(set);
  if (corpus === undefined) throw withoutPassages(set);
  const asked = (rows: (typeof questions)["splits"]["train"]) =>
    rows.map(({ labels: { answers, questionType, relevant }, input, ...row }) => ({
      ...row,
      input: { ...input, history: [] },
      labels: { answers, questionType, relevant },
    }));
  const { train, val, test } = questions.splits;
  return {
    corpus,
    trainset: trainset({
      ...questions,
      name: set,
      splits: { train: asked(train), val: asked(val), test: asked(test) },
    }),
  };
}

/** Small sets that were derived from others, over the others' passages. */
const derived = {
  "single-hop": {
    file: "singlehop_from_musique.jsonl",
    over: "musique",
    load: singleHopQuestions,
  },
  "compound-triples": {
    file: "compound_from_2wiki_triples.jsonl",
    over: "2wikimultihopqa",
    load: compoundQuestions,
  },
} as const;

/** @throws EspalierError `file-missing` */
export async function derivedQuestions(name: keyof typeof derived): Promise<QuestionSet> {
  const { file, over, load } = derived[name];
  const folder = dataFolder(
    "ESPALIER_MULTIHOP_DIR",
    `a folder with ${file} and ${over}_corpus.jsonl.gz`,
  );
  const corpus = await corpusIn(folder, over);
  if (corpus === undefined) throw withoutPassages(over);
  const ids = new Map(corpus.passages.map((passage) => [paragraphKey(passage), passage.id]));
  const { splits, ...questions } = await load(join(folder, file), ids);
  const counted = (rows: (typeof splits)["train"]) =>
    rows.map(({ labels, ...row }) => ({
      ...row,
      labels: { ...labels, hops: String(labels.decomposition.length) },
    }));
  const { train, val, test } = splits;
  return {
    corpus,
    trainset: trainset({
      ...questions,
      splits: { train: counted(train), val: counted(val), test: counted(test) },
    }),
  };
}

async function corpusIn(folder: string, set: string): Promise<Corpus | undefined> {
  const path = [folder, join(folder, set)]
    .flatMap((place) =>
      [`${set}_corpus.jsonl`, `${set}_corpus.jsonl.gz`].map((file) => join(place, file)),
    )
    .find((file) => existsSync(file));
  return path === undefined ? undefined : readCorpus(path);
}

function sampleSize(): number {
  const given = process.env["ESPALIER_MULTIHOP_SAMPLE"] ?? "";
  if (given === "all") return Infinity;
  const size = given === "" ? defaultSample : Number(given);
  if (Number.isSafeInteger(size) && size > 0) return size;
  throw new EspalierError({
    code: "option-invalid",
    problem: "ESPALIER_MULTIHOP_SAMPLE is not a number of questions",
    expected: "a whole number above 0, or `all`",
    got: given,
  });
}

/** For sets that are published without passages. */
export function withoutPassages(set: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: `The questions of ${set} come without passages, and no collection is given`,
    expected: `${set}_corpus.jsonl or ${set}_corpus.jsonl.gz in ESPALIER_MULTIHOP_DIR, one { "id", "title", "text" } per line`,
    fix: "Put a collection there, or name a search engine under `search` in espalier.servers.json.",
  });
}
