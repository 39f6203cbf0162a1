import type { Candidate, Component, SplitName } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { MetDispute } from "../../contract/optimizer-event.ts";
import { evaluatedEvent } from "../../contract/search-log.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { GoldReplays } from "./gold-replays.ts";
import { goldReplays } from "./gold-replays.ts";
import { rolloutMemory } from "./rollout-memory.ts";
import type { Lessons } from "./lessons.ts";
import { lessons } from "./lessons.ts";
import type { EvaluationRequest } from "./evaluate-with-reuse.ts";
import { evaluateWithReuse } from "./evaluate-with-reuse.ts";
import { mismatchJudge } from "./mismatch-judge.ts";
import type { ReuseMode } from "./reuse-modes.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import { mean, sampleVariance } from "../../../statistics/index.ts";

/**
 * What rollouts have shown so far. Two things change it at once, in the middle of a stage, because
 * the rest of the iteration builds on them: evaluating adds scores and lessons, and
 * `minibatchChoice` forgets failures. Everything else is left to `advance`. It reports its runs in
 * events of its own, which precede those of the decisions made from them.
 */
export interface Evidence {
  /**
   * Evaluates candidates side by side. Known scores are reused; new runs are remembered, and some
   * reused scores are checked by running them again.
   */
  evaluate(
    iteration: number,
    requests: readonly EvaluationRequest[],
  ): Promise<readonly StepEvaluation[]>;
  /**
   * Runs candidates on val once more, side by side. What is known of an example is then the mean of
   * its runs.
   */
  measureAgain(iteration: number, requests: readonly Remeasurement[]): Promise<void>;
  /** How often the example of a known rollout was run. */
  runCount(rollout: Rollout): number;
  /** Of a score from run to run, over all examples that were measured again; `null` if none was. */
  readonly varianceOfScores: number | null;
  readonly lessons: Lessons;
  /** Rollouts that count for this candidate, by example; valid until more are added. */
  known(candidate: Candidate, split: SplitName): (exampleId: string) => Rollout | undefined;
  /** The current mode of score reuse. */
  readonly mode: ReuseMode;
  /** Rollouts that a candidate's evaluation on val, or some of it, needs beyond the known ones. */
  missingOnVal(candidate: Candidate, exampleIds?: readonly string[]): number;
  /** Upper bound of the same for a child of which only the components to be changed are known. */
  maxMissingOnVal(changed: readonly Component[]): number;
  /** Whether some rollout ran this predictor. */
  wasInvoked(predictor: string): boolean;
  /** Where re-runs disagreed with reused scores. */
  readonly mismatches: readonly MetDispute[];
  /** Whether a re-run differed from a known score although its reuse was right. */
  readonly scoresVary: boolean;
  /** Whether reuse was found wrong, in which case candidates may hold wrong scores. */
  readonly isReuseWrong: boolean;
}

export interface Remeasurement {
  readonly candidate: {
    readonly id: CandidateRecord["id"] | "proposed";
    readonly components: CandidateRecord["components"];
  };
  readonly exampleIds: readonly string[];
}

export function startEvidence(
  space: SearchSpace,
  run: OptimizerRun,
  { mode, perfectScore }: { readonly mode: ReuseMode; readonly perfectScore: number | null },
): Evidence {
  const memory = rolloutMemory({
    mode,
    sharesSplits: space.train === space.val,
    randomOfRecheck: (number) => run.random("gepa/audit", number),
  });
  const held = lessons();
  const invoked = new Set<string>();
  const mismatches: MetDispute[] = [];
  const judge = mismatchJudge();
  let isReuseWrong = false;
  const onMismatch = (met: MetDispute): void => {
    mismatches.push(met);
    isReuseWrong ||= met.kind === "score-reuse-ended";
  };
  const gold = goldReplays({ space, run, perfectScore });
  const evaluateAll: Evidence["evaluate"] = (iteration, requests) =>
    evaluateWithReuse(requests, {
      iteration,
      run,
      val: space.val,
      memory,
      lessons: held,
      invoked,
      judge,
      onMismatch,
    });
  const evaluateAndExplain = async (
    { explain }: GoldReplays,
    iteration: number,
    requests: readonly EvaluationRequest[],
  ): Promise<readonly StepEvaluation[]> => {
    const evaluations = await evaluateAll(iteration, requests);
    const explained = await explain(iteration, requests, evaluations);
    for (const [index, { candidate }] of requests.entries()) {
      const before = evaluations[index]?.rollouts ?? [];
      const replaced = explained[index]?.rollouts.filter((one, at) => one !== before[at]) ?? [];
      if (candidate !== "proposed" && replaced.length > 0) held.add(candidate, replaced);
    }
    return explained;
  };
  return {
    evaluate: (iteration, requests) =>
      gold === null
        ? evaluateAll(iteration, requests)
        : evaluateAndExplain(gold, iteration, requests),
    measureAgain: async (iteration, requests) => {
      const made = await run.evaluate(
        requests.map(({ candidate: { components }, exampleIds }) => ({
          candidate: components,
          split: "val",
          exampleIds,
        })),
      );
      for (const [index, { candidate }] of requests.entries()) {
        const rollouts = made[index] ?? [];
        memory.addAgain(candidate.components, "val", rollouts);
        const at = { iteration, candidate: candidate.id, split: "val" as const };
        run.emit(evaluatedEvent(run.summarize("val", rollouts), at));
      }
      run.emit({ kind: "budget-spent", iteration, ...run.spent });
    },
    runCount: (rollout) => memory.runCount(rollout),
    get varianceOfScores() {
      const variances = memory.repeated().flatMap((runs) => {
        const scores = runs.flatMap(({ score }) => (score.kind === "scored" ? score.value : []));
        return scores.length < 2 ? [] : sampleVariance(scores);
      });
      return variances.length === 0 ? null : mean(variances);
    },
    lessons: held,
    known: (candidate, split) => memory.known(candidate, split),
    get mode() {
      return memory.mode;
    },
    missingOnVal: (candidate, exampleIds = space.val) => {
      const known = memory.known(candidate, "val");
      return exampleIds.filter((id) => known(id) === undefined).length;
    },
    maxMissingOnVal: (changed) =>
      memory.mode.sharesByTrace
        ? memory.mayRun("val", new Set(changed.map(predictorOf)), space.val.length)
        : space.val.length,
    wasInvoked: (predictor) => invoked.has(predictor),
    mismatches,
    get scoresVary() {
      return mismatches.some(({ kind }) => kind === "score-reuse-kept");
    },
    get isReuseWrong() {
      return isReuseWrong;
    },
  };
}
