/**
 * One search for each turn, as typed or as a person reworded it: the baselines of MTRAG and of
 * AILS-NTUA. `espalier eval optimizers/mtrag-baselines.ts --trainset mtrag-human-rewrite`.
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { searchOnce } from "../programs/ails-ntua/index.ts";
import { recallWithFeedback } from "../programs/notes-guided/index.ts";
import type { AilsData } from "./support/ails-data.ts";
import {
  mtragByCollection,
  rerankerOf,
  shelvesByCollection,
  withInputs,
} from "./support/ails-data.ts";

export default async (parts: Parts) => {
  const on = (data: AilsData, query: "last-turn" | "human-rewrite") => ({
    name: "mtrag-baselines",
    program: searchOnce({ sparse: data.sparse, reranker: rerankerOf(data, parts), query }),
    trainset: withInputs(data.trainset, ({ input, labels: { standalone } }) => ({
      ...input,
      ...(standalone !== undefined && { standalone }),
    })),
    objective: recallWithFeedback({ k: 5, passageOf: data.passageOf }),
    optimizer: parameterSearch({
      method: "grid",
      parameters: ["ranking", "rerankDepth", "rerankWeight"],
      values: {
        ranking: ["retrieved", "fused", "reranked"],
        rerankDepth: [20, 60],
        rerankWeight: [0.5, 1],
      },
    }),
  });
  const lastTurn = async () => study(on(await mtragByCollection(), "last-turn"));
  return study({
    ...on(await shelvesByCollection(), "last-turn"),
    variants: {
      "human-rewrite": async () => study(on(await shelvesByCollection(), "human-rewrite")),
      // As with all studies on MTRAG, and beside the human rewrite.
      mtrag: lastTurn,
      "mtrag-last-turn": lastTurn,
      "mtrag-human-rewrite": async () => study(on(await mtragByCollection(), "human-rewrite")),
    },
  });
};
