import { existsSync } from "node:fs";
import { join } from "node:path";
import { EspalierError } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { corpus, readCorpus } from "espalier/retrieval";
import { mtrag } from "../../trainsets/mtrag/index.ts";
import { dataFolder } from "./data-folder.ts";
import type { RetrievalData } from "./retrieval-data.ts";

/** The collections by file name; the later release names one differently. */
const collections = [["clapnq"], ["cloud", "ibmcloud"], ["fiqa"], ["govt"]];
/** Where the passages may be; the folder that is fastest to index comes first. */
const places = ["corpora-mini", "corpora-pooled", "corpora/passage_level", "corpora"];

/**
 * MTRAG, from the folder in ESPALIER_MTRAG_DIR: 50 training turns stratified by collection,
 * answerability and question type, as NLP-CEIA-UFG drew theirs (SemEval-2026 Task 8), and 100 val
 * turns drawn the same way. All collections are searched together. Without `splits.json` the whole
 * set is test and only serves for evaluation; ESPALIER_MTRAG_SPLITS=deal splits its conversations.
 *
 * @throws EspalierError `file-missing` if the variable, the tasks or the passages are missing
 */
export async function mtragData(): Promise<RetrievalData> {
  const folder = dataFolder(
    "ESPALIER_MTRAG_DIR",
    `the folder of MTRAG: tasks.jsonl, splits.json, and ${places[0]}/ or ${places[1]}/ with ${collections.map(([name]) => name).join(", ")}`,
  );
  const notes: string[] = [];
  const trainset = await mtrag({
    folder,
    withoutSplits: process.env["ESPALIER_MTRAG_SPLITS"] === "deal" ? "deal" : "test",
    note: (sentence) => notes.push(sentence),
    trainSample: { count: 50, seed: 0 },
    valSample: { count: 100, seed: 0 },
  });
  const [place, passages] = await passagesOf(folder);
  for (const note of notes) console.error(`mtrag: ${note}`);
  if (place !== "corpora" && place !== "corpora/passage_level") {
    console.error(
      `mtrag: ${place}, ${passages.passages.length} passages, is a pool of what some retrievers found and lacks ` +
        "distractors for new queries. Figures on it are too high; compare only runs on the same pool.",
    );
  }
  return { trainset, corpus: passages };
}

async function passagesOf(folder: string): Promise<readonly [place: string, Corpus]> {
  for (const place of places) {
    const files = collections.map((names) =>
      names
        .flatMap((name) => [`${name}.jsonl`, `${name}.jsonl.gz`])
        .map((file) => join(folder, place, file))
        .find((path) => existsSync(path)),
    );
    if (!files.every((path) => path !== undefined)) continue;
    const parts = await Promise.all(files.map((path) => readCorpus(path)));
    return [place, corpus(parts.flatMap(({ passages }) => passages))];
  }
  throw new EspalierError({
    code: "file-missing",
    problem: "The MTRAG folder has no passages",
    where: folder,
    expected: `${collections.map(([name]) => `${name}.jsonl`).join(", ")} in ${places.join(" or ")}, each may end in .gz`,
    fix: "Unpack the collections there.",
  });
}
