import { withImageStandIns } from "../../internal/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { defaultLongest } from "./demonstrations-of.ts";

/**
 * Whether a run on train may become a demonstration of a predictor: on some example, the inputs
 * that are known without a run are not too long alone.
 */
export function canShowRuns(
  predictor: string,
  { train, inputsOf }: Pick<SearchSpace, "train" | "inputsOf">,
): boolean {
  if (inputsOf === undefined) return train.length > 0;
  return train.some(
    (id) => JSON.stringify(withImageStandIns(inputsOf(predictor, id))).length <= defaultLongest,
  );
}
