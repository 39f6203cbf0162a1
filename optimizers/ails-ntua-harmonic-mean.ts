/**
 * Optimizes all of AILS-NTUA for the IDK-conditioned harmonic mean on four shelves: `espalier
 * optimize optimizers/ails-ntua-harmonic-mean.ts`
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { lexicalReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { ailsNtua } from "../programs/ails-ntua/index.ts";
import { ailsBlame, answerQuality } from "./support/answer-quality.ts";
import { collectionsOfShelves, shelfIndexes } from "./support/collections-of-shelves.ts";

export default async (parts: Parts) => {
  const sparse = await shelfIndexes();
  const reranker = parts.reranker({ mock: () => lexicalReranker({ index: sparse.other }) });
  return study({
    name: "ails-ntua-harmonic-mean",
    program: ailsNtua({ sparse, reranker }),
    trainset: await collectionsOfShelves(),
    objective: answerQuality(parts, {
      passages: "contexts",
      blame: ailsBlame,
    }),
    optimizer: gepa({ budget: { metricCalls: 3_000 } }),
  });
};
