/**
 * Task A of AILS-NTUA, retrieval, on four shelves; on MTRAG with `--trainset mtrag`, and what the
 * authors tried and left: `espalier eval optimizers/ails-ntua-task-a.ts --trainset NAME`. Searches
 * the weights of the fusion, which they tuned by grid on their development set (table 24). The
 * variants `NAME-rewriters-N` search with the first N rewrites alone, and rerank nothing (table 4);
 * `NAME-top-100` and `NAME-ensemble-100` return 100 passages, for recall that deep (tables 15, 21).
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import type { AilsRetrievalParts } from "../programs/ails-ntua/retrieval/index.ts";
import { strategies } from "../programs/ails-ntua/retrieval/index.ts";
import { ailsRetrieval } from "../programs/ails-ntua/index.ts";
import { recallWithFeedback } from "../programs/notes-guided/index.ts";
import type { AilsData } from "./support/ails-data.ts";
import {
  ensembles,
  mtragByCollection,
  rerankerOf,
  shelvesByCollection,
  together,
} from "./support/ails-data.ts";
import { shelfEnsembles } from "./support/collections-of-shelves.ts";

export default async (parts: Parts) => {
  const on = (data: AilsData, changed: Partial<AilsRetrievalParts> = {}) => ({
    name: "ails-ntua-task-a",
    program: ailsRetrieval({ sparse: data.sparse, reranker: rerankerOf(data, parts), ...changed }),
    trainset: data.trainset,
    // The paper's figure; the study of the rewriters has recall@10.
    objective: recallWithFeedback({ k: 5, alsoAt: [10], passageOf: data.passageOf }),
    optimizer: parameterSearch({
      method: "grid",
      parameters: ["rerankWeight", "weakK0", "weakHypothetical"],
      values: { rerankWeight: [0.25, 0.5, 1], weakK0: [20, 40, 60], weakHypothetical: [0, 0.34] },
    }),
  });
  const deep = (data: AilsData, changed: Partial<AilsRetrievalParts> = {}) => {
    const { program, ...others } = on(data, changed);
    return study({
      ...others,
      program: program.with([{ kind: "parameter", path: "k", value: 100 }]),
      objective: recallWithFeedback({ k: 5, alsoAt: [10, 50, 100], passageOf: data.passageOf }),
    });
  };
  const onShelves = async (changed: Partial<AilsRetrievalParts>) =>
    study(on(await shelvesByCollection(), changed));
  const variant = async (change: (data: AilsData) => ReturnType<typeof on>) =>
    study(change(await mtragByCollection()));
  const cumulative = strategies.flatMap((_, index) => {
    const first = (data: AilsData) => {
      const inOneLevel = strategies.slice(0, index + 1);
      return study({ ...on(data), program: ailsRetrieval({ sparse: data.sparse, inOneLevel }) });
    };
    return [
      [`four-shelves-rewriters-${index + 1}`, async () => first(await shelvesByCollection())],
      [`mtrag-rewriters-${index + 1}`, async () => first(await mtragByCollection())],
    ] as const;
  });
  return study({
    ...on(await shelvesByCollection()),
    variants: {
      ...Object.fromEntries(cumulative),
      "four-shelves-reranker-alone": async () => onShelves({ ranking: "reranked" }),
      "four-shelves-ensemble": async () => onShelves({ sparse: await shelfEnsembles(parts) }),
      "four-shelves-top-100": async () => deep(await shelvesByCollection()),
      "four-shelves-ensemble-100": async () =>
        deep(await shelvesByCollection(), { sparse: await shelfEnsembles(parts) }),
      mtrag: async () => variant((data) => on(data)),
      "mtrag-together": async () => variant((data) => on(together(data))),
      "mtrag-reranker-alone": async () => variant((data) => on(data, { ranking: "reranked" })),
      "mtrag-ensemble": async () => {
        const sparse = await ensembles(parts);
        return variant((data) => on(data, { sparse }));
      },
      "mtrag-top-100": async () => deep(await mtragByCollection()),
      "mtrag-ensemble-100": async () =>
        deep(await mtragByCollection(), { sparse: await ensembles(parts) }),
    },
  });
};
