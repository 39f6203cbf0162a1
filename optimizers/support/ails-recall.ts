import { lexicalReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { ailsRetrieval } from "../../programs/ails-ntua/index.ts";
import { recallWithFeedback } from "../../programs/notes-guided/index.ts";
import { fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { collectionsOfShelves, shelfIndexes } from "./collections-of-shelves.ts";

/** The program, examples and objective of the AILS-NTUA retrieval studies. */
export async function ailsRecall(parts: Parts) {
  const sparse = await shelfIndexes();
  const byId = new Map((await fourShelvesPassages()).map((passage) => [passage.id, passage]));
  const reranker = parts.reranker({ mock: () => lexicalReranker({ index: sparse.other }) });
  return {
    program: ailsRetrieval({ sparse, reranker }),
    trainset: await collectionsOfShelves(),
    objective: recallWithFeedback({ k: 10, passageOf: (id) => byId.get(id) }),
  };
}
