/**
 * Task C of AILS-NTUA, retrieval, gate and answer, on four shelves; on MTRAG with `--trainset
 * mtrag`. Judged by the judge LM of the servers file. Sweeps the confidence below which the system
 * answers all the same (table 38).
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { ailsNtua } from "../programs/ails-ntua/index.ts";
import type { AilsData } from "./support/ails-data.ts";
import {
  mtragByCollection,
  rerankerOf,
  shelvesByCollection,
  together,
} from "./support/ails-data.ts";
import { ailsBlame, answerQuality } from "./support/answer-quality.ts";

export default async (parts: Parts) => {
  const on = (data: AilsData) => ({
    name: "ails-ntua-task-c",
    program: ailsNtua({ sparse: data.sparse, reranker: rerankerOf(data, parts) }),
    trainset: data.trainset,
    objective: answerQuality(parts, { passages: "contexts", blame: ailsBlame }),
    optimizer: parameterSearch({
      method: "grid",
      parameters: ["refusalConfidence"],
      values: { refusalConfidence: [0.5, 0.6, 0.7, 0.8, 0.9] },
    }),
  });
  return study({
    ...on(await shelvesByCollection()),
    variants: {
      mtrag: async () => study(on(await mtragByCollection())),
      "mtrag-together": async () => study(on(together(await mtragByCollection()))),
    },
  });
};
