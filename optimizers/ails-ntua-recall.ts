/**
 * Optimizes the five rewriters of AILS-NTUA for recall@10 on four shelves:
 * `espalier optimize optimizers/ails-ntua-recall.ts`
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { ailsRecall } from "./support/ails-recall.ts";

export default async (parts: Parts) =>
  study({
    ...(await ailsRecall(parts)),
    name: "ails-ntua-recall",
    optimizer: gepa({ budget: { metricCalls: 3_000 } }),
  });
