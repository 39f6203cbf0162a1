import type { Trainset } from "espalier";
import type { Bm25Index } from "espalier/retrieval";
import { bm25Index, corpus } from "espalier/retrieval";
import { trainset } from "espalier/trainset";
import type { CorpusName } from "../../programs/ails-ntua/index.ts";
import type { ConversationalInput, ConversationalLabels } from "../../trainsets/conversational.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";

/** The MTRAG collection that each shelf resembles, whose rewriter and weights it uses. */
const collections: Readonly<Record<string, CorpusName>> = {
  encyclopedia: "clapnq",
  finance: "fiqa",
  government: "govt",
  cloud: "cloud",
};

/** Four shelves, each question with the collection to search. */
export async function collectionsOfShelves(): Promise<
  Trainset<ConversationalInput & { readonly corpus: CorpusName }, ConversationalLabels>
> {
  const { splits, ...shelves } = await fourShelves();
  const withCollection = (examples: (typeof splits)["train"]) =>
    examples.map(({ input, ...example }) => ({
      ...example,
      input: { ...input, corpus: collections[example.labels.collection] ?? "other" },
    }));
  return trainset({
    ...shelves,
    name: "four-shelves-by-collection",
    splits: {
      train: withCollection(splits.train),
      val: withCollection(splits.val),
      test: withCollection(splits.test),
    },
  });
}

/**
 * A keyword index for each collection over the shelf that resembles it; `other` searches all
 * shelves.
 */
export async function shelfIndexes(): Promise<Readonly<Record<CorpusName, Bm25Index>>> {
  const passages = await fourShelvesPassages();
  const indexOver = (idPrefix: string) =>
    bm25Index({ corpus: corpus(passages.filter(({ id }) => id.startsWith(idPrefix))) });
  return {
    clapnq: await indexOver("enc-"),
    fiqa: await indexOver("fin-"),
    govt: await indexOver("gov-"),
    cloud: await indexOver("cld-"),
    other: await indexOver(""),
  };
}
