/**
 * Searches the fusion of AILS-NTUA for recall@10 on four shelves, the rewriters as they are:
 * `espalier optimize optimizers/ails-ntua-recall-parameters.ts`
 */
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import { fusionParameters } from "../programs/ails-ntua/retrieval/index.ts";
import { ailsRecall } from "./support/ails-recall.ts";

export default study({
  ...(await ailsRecall()),
  name: "ails-ntua-recall-parameters",
  optimizer: parameterSearch({ trials: 40, parameters: Object.keys(fusionParameters) }),
});
