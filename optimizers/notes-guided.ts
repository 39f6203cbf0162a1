/**
 * Optimizes the notes-guided retriever for recall@10 on four shelves:
 * `espalier optimize optimizers/notes-guided.ts`; on other data with `--trainset NAME`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { notesGuidedRetrieval, recallWithFeedback } from "../programs/notes-guided/index.ts";
import { fourShelves, fourShelvesPassages } from "../trainsets/four-shelves/index.ts";
import { indexesByCollection } from "./support/indexes-over.ts";
import { mtragData, mtragTogether } from "./support/mtrag-data.ts";
import { multiHopData } from "./support/multi-hop-data.ts";
import type { RetrievalData } from "./support/retrieval-data.ts";

async function studied(data: RetrievalData, parts: Parts) {
  const { trainset } = data;
  const byId = new Map(data.corpus.passages.map((passage) => [passage.id, passage]));
  return {
    name: "notes-guided",
    program: notesGuidedRetrieval({
      ...(await indexesByCollection(trainset.name, data, parts)),
      // Greedy, unlike the authors' 0.4, so that differences between candidates come from the
      // instruction.
      sampling: { temperature: 0, maxCompletionTokens: 10_000 },
    }),
    trainset,
    objective: recallWithFeedback({ k: 10, passageOf: (id) => byId.get(id) }),
    optimizer: gepa({ budget: { metricCalls: 2_500 } }),
  };
}

export default async (parts: Parts) => {
  const shelves = { trainset: await fourShelves(), corpus: corpus(await fourShelvesPassages()) };
  const on = async (data: RetrievalData) => study(await studied(data, parts));
  return study({
    ...(await studied(shelves, parts)),
    variants: {
      mtrag: async () => on(await mtragData()),
      "mtrag-together": async () => on(await mtragTogether()),
      hotpotqa: async () => on(await multiHopData("hotpotqa")),
      musique: async () => on(await multiHopData("musique")),
      "2wikimultihopqa": async () => on(await multiHopData("2wikimultihopqa")),
    },
  });
};
