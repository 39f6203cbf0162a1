import type { Component } from "../../contract/index.ts";
import { predictorOf } from "./predictor-of.ts";

/** Predictors that have components: about the calls of one rollout. Parameters belong to none. */
export function predictorCount(components: readonly Component[]): number {
  return new Set(components.filter(({ kind }) => kind !== "parameter").map(predictorOf)).size;
}
