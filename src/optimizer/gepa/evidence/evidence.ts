import type { Candidate, Component, SplitName } from "../../../contract/index.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { MetDispute } from "../../contract/optimizer-event.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { goldReplays } from "./gold-replays.ts";
import type { ScoreReuse } from "./rollout-memory.ts";
import { rolloutMemory } from "./rollout-memory.ts";
import type { Lessons } from "./lessons.ts";
import { lessons } from "./lessons.ts";
import type { EvaluationRequest } from "./evaluate-with-reuse.ts";
import { evaluateWithReuse } from "./evaluate-with-reuse.ts";
import type { SearchSpace } from "../../task/search-space.ts";

/**
 * What rollouts have shown so far. Two things change it at once, in the middle of a stage, because
 * the rest of the iteration builds on them: evaluating adds scores and lessons, and the choice of a
 * minibatch may forget failures. Everything else is left to `Search`. It reports its runs in
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
  readonly lessons: Lessons;
  /** Rollouts that a candidate's evaluation on these examples takes: the unknown ones. */
  missingOn(split: SplitName, exampleIds: readonly string[], candidate: Candidate): number;
  /**
   * Upper bound of the rollouts on val that a child takes of which only the components to be
   * changed are known.
   */
  maxMissingOn(val: readonly string[], changed: readonly Component[]): number;
  /** Whether some rollout ran this predictor. */
  wasInvoked(predictor: string): boolean;
  /** Where re-runs disagreed with reused scores. */
  readonly disputes: readonly MetDispute[];
  /** Whether reuse was found wrong, in which case candidates may hold wrong scores. */
  readonly isReuseWrong: boolean;
}

export function startEvidence(
  space: SearchSpace,
  run: OptimizerRun,
  {
    scoreReuse,
    perfectScore,
  }: { readonly scoreReuse: ScoreReuse; readonly perfectScore: number | null },
): Evidence {
  const memory = rolloutMemory({
    mode: scoreReuse,
    sharesSplits: space.train === space.val,
    randomOfRecheck: (number) => run.random("gepa/audit", number),
  });
  const held = lessons();
  const invoked = new Set<string>();
  const disputes: MetDispute[] = [];
  const parts = { run, val: space.val, memory, lessons: held, invoked, disputes };
  const explain = goldReplays({ space, run, perfectScore });
  return {
    evaluate: async (iteration, requests) => {
      const evaluations = await evaluateWithReuse(requests, { iteration, ...parts });
      if (explain === null) return evaluations;
      const explained = await explain(iteration, requests, evaluations);
      for (const [index, { candidate }] of requests.entries()) {
        const before = evaluations[index]?.rollouts ?? [];
        const replaced = explained[index]?.rollouts.filter((one, at) => one !== before[at]) ?? [];
        if (candidate !== "proposed" && replaced.length > 0) held.add(candidate, replaced);
      }
      return explained;
    },
    lessons: held,
    missingOn: (split, exampleIds, candidate) => {
      const known = memory.known(candidate, split);
      return exampleIds.filter((id) => known(id) === undefined).length;
    },
    maxMissingOn: (val, changed) =>
      memory.mode === "trace"
        ? memory.mayRun("val", new Set(changed.map(predictorOf)), val)
        : val.length,
    wasInvoked: (predictor) => invoked.has(predictor),
    disputes,
    get isReuseWrong() {
      return disputes.some(({ kind }) => kind === "score-reuse-ended");
    },
  };
}
