import type { FieldSchemas, Signature } from "../../signature/index.ts";
import type { Predictor, PredictorOptions } from "./predictor.ts";
import { makePredictor } from "./make-predictor.ts";

/** Asks for the outputs of a signature directly, unlike `reason()`, which thinks first. */
export function predict<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  signature: Signature<TInput, TOutput>,
  options: PredictorOptions = {},
): Predictor<TInput, TOutput> {
  return makePredictor("predict", signature, options);
}
