import type { Retriever, Trainset } from "espalier";
import type { Bm25Index, Corpus } from "espalier/retrieval";
import { bm25Index, corpus, denseIndex, hybrid } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { trainset } from "espalier/trainset";
import type { CorpusName } from "../../programs/ails-ntua/index.ts";
import type { ConversationalInput, ConversationalLabels } from "../../trainsets/conversational.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { indexFile } from "./indexes-over.ts";

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
  return overShelves((searched) => bm25Index({ corpus: searched }));
}

/** The same with a dense index beside each keyword index, fused. */
export async function shelfEnsembles(
  parts: Parts,
): Promise<Readonly<Record<CorpusName, Retriever>>> {
  return overShelves(async (searched) => {
    const index = indexFile("four-shelves", searched);
    return hybrid({
      retrievers: [
        await bm25Index(index),
        await denseIndex({ ...index, embedder: parts.embedder() }),
      ],
    });
  });
}

async function overShelves<TIndex>(
  indexOver: (searched: Corpus) => Promise<TIndex>,
): Promise<Readonly<Record<CorpusName, TIndex>>> {
  const passages = await fourShelvesPassages();
  const over = async (idPrefix: string) =>
    indexOver(corpus(passages.filter(({ id }) => id.startsWith(idPrefix))));
  return {
    clapnq: await over("enc-"),
    fiqa: await over("fin-"),
    govt: await over("gov-"),
    cloud: await over("cld-"),
    other: await over(""),
  };
}
