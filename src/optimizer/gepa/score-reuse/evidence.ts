import type { Candidate, Component, SplitName } from "../../../contract/index.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { MetDispute } from "../../contract/optimizer-event.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Lessons } from "../lesson/lessons.ts";
import { lessons } from "../lesson/lessons.ts";
import type { EvaluationRequest } from "./evaluate-with-reuse.ts";
import { evaluateWithReuse } from "./evaluate-with-reuse.ts";
import { mismatchJudge } from "./mismatch-judge.ts";
import type { ScoreReuse } from "./rollout-memory.ts";
import { rolloutMemory } from "./rollout-memory.ts";

/**
 * What rollouts have shown so far. Evaluating adds to it at once, in the middle of a stage: the
 * next evaluation of the same iteration reuses these scores, and the next choice of examples these
 * lessons. It reports its runs in events of its own, which precede those of the decisions made from
 * them.
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
  readonly lessons: Lessons;
  /** Rollouts that count for this candidate, by example; valid until more are added. */
  known(candidate: Candidate, split: SplitName): (exampleId: string) => Rollout | undefined;
  /** The current score reuse mode. */
  readonly reuse: ScoreReuse;
  /** Rollouts that a candidate's evaluation on val needs beyond the known ones. */
  missingOnVal(candidate: Candidate): number;
  /** Upper bound of the same for a child of which only the components to be changed are known. */
  mostMissingOnVal(changed: readonly Component[]): number;
  /** Whether some rollout ran this predictor. */
  wasInvoked(predictor: string): boolean;
  /** Where re-runs disagreed with reused scores. */
  readonly mismatches: readonly MetDispute[];
  /**
   * Whether reuse was found wrong since the last call, in which case candidates may hold wrong
   * scores.
   */
  takeDoubt(): boolean;
}

export function startEvidence(space: SearchSpace, run: OptimizerRun, reuse: ScoreReuse): Evidence {
  const memory = rolloutMemory({
    reuse,
    sharesSplits: space.train === space.val,
    randomOfRecheck: (number) => run.random("gepa/audit", number),
  });
  const held = lessons();
  const invoked = new Set<string>();
  const mismatches: MetDispute[] = [];
  const judge = mismatchJudge();
  let isInDoubt = false;
  const onMismatch = (met: MetDispute): void => {
    mismatches.push(met);
    isInDoubt ||= met.kind === "inheritance-ended";
  };
  return {
    evaluate: async (iteration, requests) =>
      evaluateWithReuse(requests, {
        iteration,
        run,
        val: space.val,
        memory,
        lessons: held,
        invoked,
        judge,
        onMismatch,
      }),
    lessons: held,
    known: (candidate, split) => memory.known(candidate, split),
    get reuse() {
      return memory.reuse;
    },
    missingOnVal: (candidate) => {
      const known = memory.known(candidate, "val");
      return space.val.filter((id) => known(id) === undefined).length;
    },
    mostMissingOnVal: (changed) =>
      memory.reuse.startsWith("trace")
        ? memory.mayRun("val", new Set(changed.map(predictorOf)), space.val.length)
        : space.val.length,
    wasInvoked: (predictor) => invoked.has(predictor),
    mismatches,
    takeDoubt: () => {
      const was = isInDoubt;
      isInDoubt = false;
      return was;
    },
  };
}
