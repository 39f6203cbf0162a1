import { join } from "node:path";
import { readCorpus } from "espalier/retrieval";
import type { MultiHopSet } from "../../trainsets/multi-hop/index.ts";
import { multiHop, paragraphKey } from "../../trainsets/multi-hop/index.ts";
import { dataFolder } from "./data-folder.ts";
import type { RetrievalData } from "./retrieval-data.ts";

/**
 * A multi-hop set over the union of its paragraphs, from the folder in ESPALIER_MULTIHOP_DIR. Its
 * dev rows form the test split.
 *
 * @throws EspalierError `file-missing` if the variable or one of the three files is missing
 */
export async function multiHopData(set: MultiHopSet): Promise<RetrievalData> {
  const folder = dataFolder(
    "ESPALIER_MULTIHOP_DIR",
    `a folder with ${set}_train.jsonl, ${set}_dev.jsonl and ${set}_corpus.jsonl.gz`,
  );
  const corpus = await readCorpus(join(folder, `${set}_corpus.jsonl.gz`));
  const ids = new Map(corpus.passages.map((passage) => [paragraphKey(passage), passage.id]));
  return { corpus, trainset: await multiHop({ set, folder, ids }) };
}
