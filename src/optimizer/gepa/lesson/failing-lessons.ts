import type { Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import type { KnownLessons, Lesson } from "./lessons.ts";

/**
 * The lessons of rollouts that fell short and teach something about a component which has not been
 * changed because of them yet.
 */
export function failingLessons(
  lessons: readonly Lesson[],
  component: Component,
  { saidOf, perfectScore }: Pick<KnownLessons, "saidOf"> & { readonly perfectScore: number | null },
): readonly Lesson[] {
  const id = componentId(component);
  const feedbackIn = saidOf(predictorOf(component));
  return lessons.filter(
    ({ rollout, actedOn }) =>
      rollout.score.kind === "scored" &&
      rollout.score.value < (perfectScore ?? Infinity) &&
      !actedOn.has(id) &&
      feedbackIn(rollout) !== null,
  );
}
