import type { GoldPart } from "../../../contract/index.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { EvaluationRequest } from "./evaluate-with-reuse.ts";
import { valueOf } from "./evaluate-with-reuse.ts";
import type { SearchSpace } from "../../task/search-space.ts";

/**
 * Runs once more, with gold, what failed on train, to find out which steps are at fault. Returns
 * the same evaluations, with what was found in the lessons of these rollouts.
 */
export type GoldReplays = (
  iteration: number,
  requests: readonly EvaluationRequest[],
  evaluations: readonly StepEvaluation[],
) => Promise<readonly StepEvaluation[]>;

/** Of the run's metric calls, the share that replays may take. */
const maxCallShare = 0.2;
/** A few say which step fails; the others are better left to learn from. */
const maxConcurrentRollouts = 4;

interface Replay {
  readonly candidate: number;
  readonly components: EvaluationRequest["components"];
  readonly predictor: string;
  readonly rollout: Rollout;
}

/** `null` where no example has gold. */
export function goldReplays({
  space: { goldOf, val },
  run,
  perfectScore,
}: {
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  readonly perfectScore: number | null;
}): GoldReplays | null {
  if (goldOf === undefined) return null;
  const explained = new WeakMap<Rollout, Rollout>();
  let replayed = 0;

  const isWorthIt = ({ score, ran, lesson }: Rollout): boolean =>
    // With one step there is no other to blame.
    ran.length > 1 &&
    lesson !== undefined &&
    score.kind === "scored" &&
    score.value < (perfectScore ?? Infinity);

  /** Those of the first rollouts, each with all of its replays. */
  const affordable = (replays: readonly Replay[]): readonly Replay[] => {
    const ofRollouts = [...Map.groupBy(replays, ({ rollout }) => rollout).values()];
    if (ofRollouts.length === 0) return [];
    const chosen: Replay[] = [];
    const { metricCalls } = run.spent;
    // A run may have no cap, or end long before it: as much again will be spent in any case.
    const ahead = Math.min(run.rolloutsLeft(1) * run.repetitions, metricCalls);
    const most = maxCallShare * (metricCalls + ahead);
    for (const ofOne of ofRollouts.slice(0, maxConcurrentRollouts)) {
      const count = chosen.length + ofOne.length;
      // They must not use up what a proposal needs to finish.
      const isRoom = run.fits({ rollouts: count + val.length, reflectionCalls: 1 });
      if (!isRoom || replayed + count * run.repetitions > most) break;
      chosen.push(...ofOne);
    }
    return chosen;
  };

  return async (iteration, requests, evaluations) => {
    const replays = requests.flatMap(({ candidate, components, split }, index) => {
      if (split !== "train" || candidate === "proposed") return [];
      const rollouts = evaluations[index]?.rollouts ?? [];
      return rollouts
        .filter((rollout) => isWorthIt(rollout) && !explained.has(rollout))
        .flatMap((rollout) =>
          rollout.ran
            .filter((predictor) => goldOf(predictor, rollout.exampleId) !== null)
            .map((predictor): Replay => ({ candidate, components, predictor, rollout })),
        );
    });
    const chosen = affordable(replays);
    if (chosen.length > 0) {
      replayed += chosen.length * run.repetitions;
      const made = await run.evaluate(
        chosen.map(({ components, predictor, rollout: { exampleId } }) => ({
          candidate: components,
          split: "train",
          exampleIds: [exampleId],
          gold: predictor,
        })),
      );
      const results = new Map<Rollout, GoldReplay[]>();
      for (const [index, { candidate, predictor, rollout }] of chosen.entries()) {
        const { exampleId } = rollout;
        const [after] = made[index] ?? [];
        const part = goldOf(predictor, exampleId);
        if (after === undefined || part === null) continue;
        run.emit({
          kind: "gold-replayed",
          iteration,
          candidate,
          exampleId,
          predictor,
          score: valueOf(rollout),
          scoreWithGold: valueOf(after),
        });
        const found = results.get(rollout) ?? [];
        results.set(rollout, [...found, { predictor, part, score: after.score }]);
      }
      run.emit({ kind: "budget-spent", iteration, ...run.spent });
      for (const [rollout, found] of results) {
        explained.set(rollout, withGoldVerdicts(rollout, found, perfectScore));
      }
    }
    return evaluations.map((evaluation) => {
      const rollouts = evaluation.rollouts.map((rollout) => explained.get(rollout) ?? rollout);
      const isSame = rollouts.every((rollout, at) => rollout === evaluation.rollouts[at]);
      return isSame ? evaluation : { ...evaluation, rollouts };
    });
  };
}

/** A rollout's run once more, with gold in place of one predictor's part. */
interface GoldReplay {
  readonly predictor: string;
  readonly part: GoldPart;
  readonly score: Rollout["score"];
}

/** What a replay says about the predictor whose part was replaced. */
interface Verdict {
  readonly predictor: string;
  /** `null`: the replay does not tell. */
  readonly isAtFault: boolean | null;
  /** For the reflection LM: names fields, never their values. */
  readonly text: string;
}

/**
 * A failing rollout whose lesson says what its replays tell of single steps. If a run improves once
 * a step says what it should, the fault lies in that step or before it: the first step that helps
 * is at fault, and later ones are not if they help no more. If a step is given what it should be
 * and nothing improves, it is at fault itself; if the run is then perfect, it is not.
 */
function withGoldVerdicts(
  rollout: Rollout,
  replays: readonly GoldReplay[],
  perfectScore: number | null,
): Rollout {
  const { lesson, score } = rollout;
  if (lesson === undefined || score.kind !== "scored") return rollout;
  const order = lesson.steps.map(({ predictor }) => predictor);
  let most = score.value;
  const verdicts = replays
    .toSorted((one, other) => order.indexOf(one.predictor) - order.indexOf(other.predictor))
    .flatMap(({ predictor, part, score: after }): Verdict | readonly [] => {
      if (after.kind !== "scored") return [];
      const { value } = after;
      // A step after it may be misled by what is right: that tells nothing of this one.
      if (value < score.value) return [];
      const change =
        value > score.value
          ? `the score of this run rises from ${shown(score.value)} to ${shown(value)}`
          : `the score of this run stays at ${shown(value)}`;
      if ("outputs" in part) {
        const isAtFault = value > most;
        most = Math.max(most, value);
        const text = `With the right output of this step in its place, ${change}.`;
        return { predictor, isAtFault, text };
      }
      const fields = Object.keys(part.inputs).map((name) => `\`${name}\``);
      const text = `Given the right ${fields.join(", ")}, ${change}.`;
      const isPerfect = perfectScore !== null && value >= perfectScore;
      return { predictor, isAtFault: isPerfect ? false : value > score.value ? null : true, text };
    });
  const excused = verdicts.flatMap(({ isAtFault, predictor }) =>
    isAtFault === false ? [predictor] : [],
  );
  const found = verdicts.flatMap(({ isAtFault, predictor: path, text }) =>
    isAtFault === false ? [] : [{ path, text }],
  );
  // If no step is left to blame, the replays contradict each other.
  if (excused.length === new Set(order).size) return rollout;
  return { ...rollout, lesson: { ...lesson, blame: [...(lesson.blame ?? []), ...found], excused } };
}

function shown(score: number): string {
  return String(Number(score.toFixed(4)));
}
