/**
 * What AILS-NTUA tried in retrieval and left, on four shelves: decomposition (`--trainset
 * four-shelves-decomposition`, table 16), rewriting by type of question (`-question-type`, table
 * 16), a query written from passages (`-informed`, table 20) and an LM that reranks
 * (`-lm-reranker`, table 23). On MTRAG with `--trainset mtrag-decomposition` and
 * so on. Without `--trainset` it is the first.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { rerankByLm, searchByType, searchParts, searchTwice } from "../programs/ails-ntua/index.ts";
import { recallWithFeedback } from "../programs/notes-guided/index.ts";
import type { AilsData } from "./support/ails-data.ts";
import { mtragByCollection, rerankerOf, shelvesByCollection } from "./support/ails-data.ts";

export default async (parts: Parts) => {
  const common = ({ trainset, passageOf }: AilsData) => ({
    name: "ails-ntua-alternatives",
    trainset,
    objective: recallWithFeedback({ k: 5, alsoAt: [10], passageOf }),
    optimizer: gepa({ budget: { metricCalls: 1_000 } }),
  });
  const decomposition = (data: AilsData) =>
    study({ ...common(data), program: searchParts({ sparse: data.sparse }) });
  const others = {
    "question-type": (data: AilsData) => {
      const reranker = rerankerOf(data, parts);
      return study({ ...common(data), program: searchByType({ sparse: data.sparse, reranker }) });
    },
    informed: (data: AilsData) => {
      const reranker = rerankerOf(data, parts);
      return study({ ...common(data), program: searchTwice({ sparse: data.sparse, reranker }) });
    },
    "lm-reranker": (data: AilsData) => {
      const reranker = rerankerOf(data, parts);
      return study({ ...common(data), program: rerankByLm({ sparse: data.sparse, reranker }) });
    },
  };
  const variants = Object.entries({ decomposition, ...others }).flatMap(([name, made]) => [
    [`four-shelves-${name}`, async () => made(await shelvesByCollection())] as const,
    [`mtrag-${name}`, async () => made(await mtragByCollection())] as const,
  ]);
  return study({
    ...decomposition(await shelvesByCollection()),
    variants: Object.fromEntries(variants),
  });
};
