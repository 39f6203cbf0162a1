import type { Component } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import { predictorOf } from "./predictor-of.ts";

/** Ids of components, without parameters, whose predictor ran in no rollout. */
export function neverInvoked(
  components: readonly Component[],
  wasInvoked: (predictor: string) => boolean,
): readonly string[] {
  return components
    .filter((component) => component.kind !== "parameter" && !wasInvoked(predictorOf(component)))
    .map(componentId);
}
