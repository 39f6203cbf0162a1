import type { Demonstration } from "../../contract/index.ts";
import type { PredictorStep, Rollout } from "../evaluation/index.ts";
import { withImagesOf } from "./with-images-of.ts";

/** Which runs give demonstrations. */
export interface DemonstrationRules {
  /** Lowest score of a run that gives demonstrations. */
  readonly threshold: number;
  /**
   * Maximum length of a demonstration's inputs, steps and outputs as JSON, in UTF-16 code units; a
   * longer one is left out. @default 8000
   */
  readonly longest?: number;
  /** Number of the run among the runs of its example. @default 0 */
  readonly round?: number;
  readonly clusterOf?: ((exampleId: string) => string | undefined) | undefined;
  /** The inputs of examples, whose images demonstrations show. @default unknown */
  readonly inputOf?: ((exampleId: string) => unknown) | undefined;
}

/** A demonstration and the predictor that it is for. */
export interface PredictorDemonstration {
  readonly predictor: string;
  readonly demonstration: Demonstration;
  /** Whether feedback says something of this very call, without a score. @default false */
  readonly isBlamed?: boolean;
}

/** The default of `DemonstrationRules.longest`. */
export const defaultLongest = 8_000;

/**
 * What a run shows of each predictor's work: one demonstration for each call that gave outputs, in
 * the order of the calls, each only once. None for a run without a lesson (of val), without a
 * score, or with one below the threshold. Of a rollout of several runs, its lesson's score decides.
 * A call to which blame gives a score of its own below the threshold gives none either: the run
 * went well in spite of it.
 */
export function demonstrationsOf(
  { exampleId, score, lesson }: Rollout,
  { threshold, longest = defaultLongest, round = 0, clusterOf, inputOf }: DemonstrationRules,
): readonly PredictorDemonstration[] {
  if (lesson === undefined || score.kind !== "scored") return [];
  const reached = lesson.score ?? score.value;
  if (reached < threshold) return [];
  const cluster = clusterOf?.(exampleId);
  const about = {
    exampleId,
    ...(cluster !== undefined && { cluster }),
    score: reached,
    ...(round > 0 && { round }),
  };
  const seen = new Set<string>();
  return lesson.steps.flatMap(({ path, predictor, inputs, outputs, trajectory: steps }) => {
    if (outputs === null) return [];
    const blame = (lesson.blame ?? []).filter((one) => [path, predictor].includes(one.path));
    if (blame.some((one) => one.score !== undefined && one.score < threshold)) return [];
    const isBlamed = blame.some((one) => one.score === undefined);
    const shown = JSON.stringify([inputs, outputs]);
    const key = `${predictor} ${shown}`;
    const length = shown.length + (steps === undefined ? 0 : JSON.stringify(steps).length);
    if (length > longest || seen.has(key) || isBare({ inputs, outputs })) return [];
    seen.add(key);
    const whole = withImagesOf(inputOf?.(exampleId), inputs);
    if (whole === null) return [];
    const demonstration = { ...about, inputs: whole, outputs, ...(steps && { steps }) };
    return [{ predictor, demonstration, ...(isBlamed && { isBlamed }) }];
  });
}

/** A prompt can show no demonstration that lacks a side. */
function isBare({ inputs, outputs }: Pick<PredictorStep, "inputs" | "outputs">): boolean {
  return Object.keys(inputs).length === 0 || Object.keys(outputs ?? {}).length === 0;
}
