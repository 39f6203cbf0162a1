import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EspalierError } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { corpus, readCorpus } from "espalier/retrieval";
import { trainset } from "espalier/trainset";
import type { MtragLabels } from "../../trainsets/mtrag/index.ts";
import { mtrag, mtragWithPassages } from "../../trainsets/mtrag/index.ts";
import { dataFolder } from "./data-folder.ts";
import type { RetrievalData } from "./retrieval-data.ts";

/** The collections by file name; the later release names one differently. */
const collectionFiles = [["clapnq"], ["cloud", "ibmcloud"], ["fiqa"], ["govt"]];
/** Where the passages may be; the folder that is fastest to index comes first. */
const places = ["corpora-mini", "corpora-pooled", "corpora/passage_level", "corpora"] as const;
/** The folder with the most passages first. */
const fullest = ["corpora/passage_level", "corpora", "corpora-pooled", "corpora-mini"] as const;

export type MtragData = Omit<RetrievalData<MtragLabels>, "collections"> & {
  readonly collections: Readonly<Record<string, Corpus>>;
};

/**
 * MTRAG, or MTRAG-UN, from the folder in ESPALIER_MTRAG_DIR: 50 training turns stratified by
 * collection, answerability and question type, as NLP-CEIA-UFG drew theirs (SemEval-2026 Task 8),
 * and 100 val turns drawn the same way. Each turn names its collection, to be searched by itself.
 * Without `splits.json` the whole set is test and only serves for evaluation;
 * ESPALIER_MTRAG_SPLITS=deal splits its conversations.
 *
 * @throws EspalierError `file-missing` if the variable, the tasks or the passages are missing
 */
export async function mtragData({
  passages = "quickest",
  ...samples
}: Partial<Samples> & {
  /** Which of the passages to search, where there are several states. @default "quickest" */
  readonly passages?: "quickest" | "fullest";
} = {}): Promise<MtragData> {
  const { notes, ...options } = mtragOptions(samples);
  const { splits, ...set } = await mtrag(options);
  const collections = await passagesOf(
    options.folder,
    splits,
    passages === "fullest" ? fullest : places,
  );
  tell(notes, set.name);
  const about = (rows: (typeof splits)["train"]) =>
    rows.map(({ input, ...row }) => ({
      ...row,
      input: { ...input, collection: row.labels.collection },
    }));
  return {
    trainset: trainset({
      ...set,
      splits: { train: about(splits.train), val: about(splits.val), test: about(splits.test) },
    }),
    corpus: corpus(Object.values(collections).flatMap(({ passages }) => passages)),
    collections,
  };
}

/** All collections searched as one, by turns that do not name theirs. */
export async function mtragTogether(): Promise<RetrievalData<MtragLabels>> {
  const { notes, ...options } = mtragOptions();
  const set = await mtrag(options);
  const collections = await passagesOf(options.folder, set.splits, places);
  tell(notes, set.name);
  return {
    trainset: set,
    corpus: corpus(Object.values(collections).flatMap(({ passages }) => passages)),
  };
}

/** Task B: each turn with the passages that the benchmark gives, and nothing to search. */
export async function mtragPassages() {
  const { notes, ...options } = mtragOptions();
  const set = await mtragWithPassages(options);
  tell(notes, set.name);
  return set;
}

/** All turns, with nothing to search. */
export async function mtragTurns() {
  const { notes, ...options } = mtragOptions({ train: Infinity, val: Infinity });
  const set = await mtrag(options);
  tell(notes, set.name);
  return set;
}

/** How many turns to learn from, and to select by. */
interface Samples {
  readonly train: number;
  readonly val: number;
}

function mtragOptions({ train = 50, val = 100 }: Partial<Samples> = {}) {
  const folder = dataFolder(
    "ESPALIER_MTRAG_DIR",
    `a checkout of IBM/mt-rag-benchmark, or mtrag-human or mtragun-human in it; or tasks.jsonl, qrels/, splits.json; and ${places[0]}/, ${places[1]}/ or ${places[3]}/ with ${collectionFiles.map(([name]) => name).join(", ")}`,
  );
  const notes: string[] = [];
  return {
    folder,
    withoutSplits: process.env["ESPALIER_MTRAG_SPLITS"] === "deal" ? "deal" : "test",
    notes,
    note: (sentence: string) => void notes.push(sentence),
    trainSample: { count: train, seed: 0 },
    valSample: { count: val, seed: 0 },
  } as const;
}

/** After all is read: an error comes alone. */
function tell(notes: readonly string[], trainsetName: string): void {
  for (const note of notes) console.error(`${trainsetName}: ${note}`);
}

type Splits = Awaited<ReturnType<typeof mtrag>>["splits"];

/** The passages of each collection; beside the tasks, or beside the folder of a later release. */
async function passagesOf(
  folder: string,
  splits: Splits,
  among: readonly string[],
): Promise<Readonly<Record<string, Corpus>>> {
  const known = new Set(collectionFiles.map(([name]) => name));
  const named = new Set(
    Object.values(splits).flatMap((rows) => rows.map((row) => row.labels.collection)),
  );
  const others = [...named].filter((name) => !known.has(name)).toSorted();
  const wanted = [...collectionFiles, ...others.map((name) => [name])];
  const both = [folder, dirname(folder)];
  const alone = both.flatMap((at) => among.map((name) => [join(at, name)]));
  // A release may bring collections of its own, beside those that the folder above holds.
  const together = among.map((name) => both.map((at) => join(at, name)));
  for (const at of [...alone, ...together]) {
    const files = wanted.map((names) =>
      at
        .flatMap((place) =>
          names.flatMap((name) => [join(place, `${name}.jsonl`), join(place, `${name}.jsonl.gz`)]),
        )
        .find((path) => existsSync(path)),
    );
    if (!files.every((path) => path !== undefined)) continue;
    const parts = await Promise.all(files.map((path) => readCorpus(path)));
    warnOfPool(basename(at[0] ?? ""), parts);
    return Object.fromEntries(wanted.map(([name = ""], index) => [name, parts[index] as Corpus]));
  }
  throw new EspalierError({
    code: "file-missing",
    problem: "The MTRAG folder has no passages",
    where: folder,
    expected: `${wanted.map(([name]) => `${name}.jsonl`).join(", ")} in ${among.join(" or ")}, each may end in .gz`,
    fix: "Unpack the collections there.",
  });
}

function warnOfPool(place: string, parts: readonly Corpus[]): void {
  if (!place.startsWith("corpora-")) return;
  const count = parts.reduce((sum, { passages }) => sum + passages.length, 0);
  console.error(
    `mtrag: ${place}, ${count} passages, is a pool of what some retrievers found and lacks ` +
      "distractors for new queries. Figures on it are too high; compare only runs on the same pool.",
  );
}
