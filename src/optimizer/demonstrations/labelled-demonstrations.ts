import type { JsonObject } from "../../contract/index.ts";
import { withImageStandIns } from "../../internal/index.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { DemonstrationRules, PredictorDemonstration } from "./demonstrations-of.ts";
import { defaultLongest } from "./demonstrations-of.ts";

/**
 * A demonstration of each predictor and example of train whose outputs labels name (see `Gold`), in
 * the order of train. Its inputs are those that `inputsOf` knows, such as those of a run, and
 * otherwise the program's inputs that the predictor takes; without any there is none.
 */
export function labelledDemonstrations(
  { components, train, goldOf, inputsOf, clusterOf }: SearchSpace,
  {
    longest = defaultLongest,
    inputsOf: knownInputs,
  }: Pick<DemonstrationRules, "longest"> & {
    readonly inputsOf?: (predictor: string, exampleId: string) => JsonObject | undefined;
  } = {},
): readonly PredictorDemonstration[] {
  if (goldOf === undefined) return [];
  const predictors = [
    ...new Set(components.filter(({ kind }) => kind === "demos").map(predictorOf)),
  ];
  return train.flatMap((exampleId) =>
    predictors.flatMap((predictor) => {
      const gold = goldOf(predictor, exampleId);
      if (gold === null || !("outputs" in gold)) return [];
      const { outputs } = gold;
      const inputs = knownInputs?.(predictor, exampleId) ?? inputsOf?.(predictor, exampleId) ?? {};
      const isShort = JSON.stringify(withImageStandIns([inputs, outputs])).length <= longest;
      if (!isShort || Object.keys(inputs).length === 0) return [];
      const cluster = clusterOf?.(exampleId);
      const about = { exampleId, ...(cluster !== undefined && { cluster }) };
      return [{ predictor, demonstration: { ...about, inputs, outputs } }];
    }),
  );
}
