import { canonicalJson } from "../../internal/index.ts";
import type { DemonstrationRules, PredictorDemonstration } from "./demonstrations-of.ts";
import { demonstrationsOf } from "./demonstrations-of.ts";
import type { Rollout } from "../evaluation/index.ts";

/** A demonstration with what other runs of its example say of its outputs. */
export interface AgreedDemonstration extends PredictorDemonstration {
  /** Number of runs with these outputs that passed the threshold; at least 1. */
  readonly passed: number;
  /** Number of runs with these outputs, whatever their score. */
  readonly seen: number;
}

/**
 * One demonstration for each example and predictor, from all runs of the example, whichever
 * candidates they were of. Of several it is the one whose outputs came up in the most passing runs;
 * then the one whose runs passed more often; then the one of the higher score; then the earlier
 * run's, and of one run the later call. A step that was wrong, in a run that was right by luck, is
 * seldom wrong in the same way twice. Calls that feedback blames give none, unless it blames all
 * that the predictor has.
 *
 * In the order of the rollouts in which each example first gave one.
 */
export function agreedDemonstrations(
  rollouts: readonly Rollout[],
  rules: DemonstrationRules,
): readonly AgreedDemonstration[] {
  const counted = countedOutputs(rollouts);
  const best = new Map<string, AgreedDemonstration>();
  const source = new Map<AgreedDemonstration, Rollout>();
  const passing = rollouts.flatMap((rollout) =>
    demonstrationsOf(rollout, rules).map((given) => ({ ...given, rollout })),
  );
  for (const { rollout, predictor, demonstration } of unblamed(passing)) {
    const { exampleId, outputs } = demonstration;
    const place = JSON.stringify([exampleId, predictor]);
    const scores = counted.get(keyOf(exampleId, predictor, outputs)) ?? [];
    const passed = scores.filter((score) => score >= rules.threshold).length;
    const one = { predictor, demonstration, passed, seen: scores.length };
    const before = best.get(place);
    const gain = before === undefined ? 1 : preference(one, before);
    // Of equal calls the last of one run, but the first run's.
    if (gain < 0 || (gain === 0 && source.get(before as AgreedDemonstration) !== rollout)) continue;
    best.set(place, one);
    source.set(one, rollout);
  }
  return [...best.values()];
}

/** Scores of the runs in which a predictor gave certain outputs; a run counts once. */
function countedOutputs(rollouts: readonly Rollout[]): ReadonlyMap<string, readonly number[]> {
  const counted = new Map<string, number[]>();
  for (const { exampleId, score, lesson } of rollouts) {
    if (lesson === undefined || score.kind !== "scored") continue;
    const keys = lesson.steps.flatMap(({ predictor, outputs }) =>
      outputs === null ? [] : [keyOf(exampleId, predictor, outputs)],
    );
    for (const key of new Set(keys)) {
      const scores = counted.get(key) ?? [];
      scores.push(lesson.score ?? score.value);
      counted.set(key, scores);
    }
  }
  return counted;
}

function keyOf(exampleId: string, predictor: string, outputs: object): string {
  return canonicalJson([exampleId, predictor, outputs]);
}

/** Above 0 if the first is to be preferred, below 0 if the second. */
function preference(one: AgreedDemonstration, other: AgreedDemonstration): number {
  return (
    one.passed - other.passed ||
    one.passed / one.seen - other.passed / other.seen ||
    (one.demonstration.score ?? 0) - (other.demonstration.score ?? 0)
  );
}

/**
 * Those that no feedback blames, of each predictor that has such; where it is blamed for every
 * call, as by a metric that comments on whatever it sees, blame tells nothing and all of its stay.
 */
function unblamed<TDemonstration extends Pick<PredictorDemonstration, "predictor" | "isBlamed">>(
  demonstrations: readonly TDemonstration[],
): readonly TDemonstration[] {
  const others = new Set(
    demonstrations.flatMap(({ predictor, isBlamed }) => (isBlamed === true ? [] : [predictor])),
  );
  return demonstrations.filter(
    ({ predictor, isBlamed }) => isBlamed !== true || !others.has(predictor),
  );
}
