import type { Candidate, NearestDemonstrations } from "../../contract/index.ts";
import { randomSource } from "../../internal/index.ts";
import { labelledDemonstrations, withDemonstrations } from "../demonstrations/index.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import { programSpace } from "../task/program-space.ts";

/** Components of a program that show labels of train, and what they show in a few words. */
export interface LabelledCandidate {
  readonly name: string;
  readonly components: Candidate;
}

/** Examples in the sets that are drawn. */
const drawnSizes = [4, 16];
const nearest: NearestDemonstrations = { k: 8, by: "words" };

/**
 * Up to three sets of demonstrations that take no run: 4 and 16 labelled examples of train, drawn
 * by the seed, and all of them, of which each call shows the nearest 8 by words. Where train has
 * too few of them, sets that would show the same are left out; where labels say no predictor's
 * outputs, there is none.
 */
export function labelledCandidates<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  { seed }: { readonly seed: number },
): readonly LabelledCandidate[] {
  const space = programSpace(task);
  const labelled = labelledDemonstrations(space, []);
  const ids = [...new Set(labelled.map(({ demonstration }) => demonstration.exampleId))];
  const shuffled = randomSource(seed, "few-shot/labelled-candidates").shuffle(ids);
  const sizes = drawnSizes.filter((_, index) => ids.length > (drawnSizes[index - 1] ?? 0));
  const drawn = sizes.map((size) => {
    const shown = new Set(shuffled.slice(0, size));
    const set = labelled.filter(({ demonstration }) => shown.has(demonstration.exampleId));
    const components = withDemonstrations(space.components, set);
    return { name: `${shown.size} labels`, components };
  });
  if (ids.length <= nearest.k) return drawn;
  const choices = new Map(labelled.map(({ predictor }) => [predictor, nearest]));
  const components = withDemonstrations(space.components, labelled, choices);
  return [...drawn, { name: `nearest ${nearest.k} of ${ids.length} labels`, components }];
}
