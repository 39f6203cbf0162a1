/**
 * Searches AILS-NTUA's fusion parameters for recall@10 on four shelves, with unchanged rewriters:
 * `espalier optimize optimizers/ails-ntua-recall-parameters.ts`
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { fusionParameters } from "../programs/ails-ntua/retrieval/index.ts";
import { ailsRecall } from "./support/ails-recall.ts";

export default async (parts: Parts) =>
  study({
    ...(await ailsRecall(parts)),
    name: "ails-ntua-recall-parameters",
    optimizer: parameterSearch({ trials: 40, parameters: Object.keys(fusionParameters) }),
  });
