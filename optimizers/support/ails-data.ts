import type { Example, Passage, Trainset } from "espalier";
import type { Bm25Index } from "espalier/retrieval";
import { bm25Index, hybrid, denseIndex, lexicalReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { trainset } from "espalier/trainset";
import type { CorpusName } from "../../programs/ails-ntua/index.ts";
import type { ConversationalInput, ConversationalLabels } from "../../trainsets/conversational.ts";
import { fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { collectionsOfShelves, shelfIndexes } from "./collections-of-shelves.ts";
import { indexFile } from "./indexes-over.ts";
import type { MtragData } from "./mtrag-data.ts";
import { mtragData } from "./mtrag-data.ts";

/** Turns, each with its collection, and a keyword index for each collection. */
export interface AilsData {
  readonly trainset: Trainset<AilsInput, ConversationalLabels>;
  readonly sparse: Readonly<Record<CorpusName, Bm25Index>>;
  readonly passageOf: (id: string) => Passage | undefined;
}

interface AilsInput extends ConversationalInput {
  readonly corpus: CorpusName;
}

/** The shipped conversations over four shelves. */
export async function shelvesByCollection(): Promise<AilsData> {
  const passages = await fourShelvesPassages();
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  return {
    trainset: await collectionsOfShelves(),
    sparse: await shelfIndexes(),
    passageOf: (id) => byId.get(id),
  };
}

/** MTRAG, each turn in its collection; a collection of another name is searched in all. */
export async function mtragByCollection(): Promise<AilsData> {
  const data = await mtragData();
  const byId = new Map(data.corpus.passages.map((passage) => [passage.id, passage]));
  return {
    trainset: withCorpus(data.trainset),
    sparse: await mtragIndexes(data),
    passageOf: (id) => byId.get(id),
  };
}

const known = ["clapnq", "fiqa", "govt", "cloud"] as const;

async function mtragIndexes({ corpus, collections }: MtragData): Promise<AilsData["sparse"]> {
  const indexOf = async (name: (typeof known)[number]) =>
    bm25Index(indexFile(`mtrag-${name}`, collections[name] ?? corpus));
  return {
    clapnq: await indexOf("clapnq"),
    fiqa: await indexOf("fiqa"),
    govt: await indexOf("govt"),
    cloud: await indexOf("cloud"),
    other: await bm25Index(indexFile("mtrag", corpus)),
  };
}

/** Each turn with the name of its collection's index. */
export function withCorpus({ splits, ...set }: MtragData["trainset"]): AilsData["trainset"] {
  const about = (rows: (typeof splits)["train"]) =>
    rows.map(({ input: { question, history }, ...row }) => ({
      ...row,
      input: {
        question,
        history,
        corpus: known.find((name) => name === row.labels.collection) ?? ("other" as const),
      },
    }));
  return trainset({
    ...set,
    splits: { train: about(splits.train), val: about(splits.val), test: about(splits.test) },
  });
}

/** The reranker of the servers file; its mock weighs words over all collections. */
export function rerankerOf({ sparse }: AilsData, parts: Parts) {
  return parts.reranker({ mock: () => lexicalReranker({ index: sparse.other }) });
}

/** All collections searched as one. */
export function together(data: AilsData): AilsData {
  const { other } = data.sparse;
  return { ...data, sparse: { clapnq: other, fiqa: other, govt: other, cloud: other, other } };
}

/** A keyword and a dense index for each collection, fused (the ensembles of table 21). */
export async function ensembles(parts: Parts) {
  const { collections, corpus } = await mtragData();
  const over = async (name: string) => {
    const index = indexFile(`mtrag-${name}`, collections[name] ?? corpus);
    const sparse = await bm25Index(index);
    return hybrid({
      retrievers: [sparse, await denseIndex({ ...index, embedder: parts.embedder() })],
    });
  };
  return {
    clapnq: await over("clapnq"),
    fiqa: await over("fiqa"),
    govt: await over("govt"),
    cloud: await over("cloud"),
    other: await over("all"),
  };
}

/** The same rows with inputs made anew. */
export function withInputs<TBefore, TAfter, TLabels>(
  { splits, ...set }: Trainset<TBefore, TLabels>,
  inputOf: (row: Example<TBefore, TLabels>) => TAfter,
): Trainset<TAfter, TLabels> {
  const changed = (rows: (typeof splits)["train"]) =>
    rows.map((row) => ({ ...row, input: inputOf(row) }));
  return trainset({
    ...set,
    splits: { train: changed(splits.train), val: changed(splits.val), test: changed(splits.test) },
  });
}
