import type { Component } from "../../contract/index.ts";
import { predictorOf } from "./predictor-of.ts";

/**
 * Number of predictors that have components: about the LM calls of one rollout. Parameters belong
 * to no predictor.
 */
export function predictorCount(components: readonly Component[]): number {
  return new Set(components.filter(({ kind }) => kind !== "parameter").map(predictorOf)).size;
}
