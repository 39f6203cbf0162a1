/**
 * Optimizes the notes-guided retriever for recall@10 on four shelves:
 * `espalier optimize optimizers/notes-guided.ts`; on other data with `--trainset NAME`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { corpus } from "espalier/retrieval";
import { notesGuidedRetrieval, recallWithFeedback } from "../programs/notes-guided/index.ts";
import { fourShelves, fourShelvesPassages } from "../trainsets/four-shelves/index.ts";
import { indexesOver } from "./support/indexes-over.ts";
import { mtragData } from "./support/mtrag-data.ts";
import { multiHopData } from "./support/multi-hop-data.ts";
import type { RetrievalData } from "./support/retrieval-data.ts";

async function partsOn({ trainset, corpus: searched }: RetrievalData) {
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  return {
    name: "notes-guided",
    program: notesGuidedRetrieval({
      ...(await indexesOver(trainset.name, searched)),
      // Greedy, unlike the authors' 0.4, so that differences between candidates come from the
      // instruction.
      sampling: { temperature: 0, maxCompletionTokens: 10_000 },
    }),
    trainset,
    objective: recallWithFeedback({ k: 10, passageOf: (id) => byId.get(id) }),
    optimizer: gepa({ budget: { metricCalls: 2_500 } }),
  };
}

const shelves = { trainset: await fourShelves(), corpus: corpus(await fourShelvesPassages()) };

export default study({
  ...(await partsOn(shelves)),
  variants: {
    mtrag: async () => study(await partsOn(await mtragData())),
    musique: async () => study(await partsOn(await multiHopData("musique"))),
    "2wikimultihopqa": async () => study(await partsOn(await multiHopData("2wikimultihopqa"))),
  },
});
