import { EspalierError } from "../../errors/index.ts";
import { deepFreeze } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { componentId } from "../candidate/candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import { objectivesOf } from "../evaluation/objectives-of.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { seedValue } from "../evaluation/seed-value.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import type { GepaSettings } from "./gepa-settings.ts";
import { iterate } from "./iterate.ts";
import type { Search } from "./search.ts";
import { addCandidate, startSearch } from "./search.ts";
import { tellAccepted } from "./tell-accepted.ts";

/** The loop: one iteration after the other until the budget, a stopper, or nothing to learn ends it. */
export async function runGepa(
  space: SearchSpace,
  run: OptimizerRun,
  settings: GepaSettings,
): Promise<OptimizerOutcome> {
  const search = startSearch(space, run, settings);
  await evaluateSeed(search);
  for (;;) {
    const stopped = stopReason(search);
    if (stopped !== null) return outcome(search, ...stopped);
    try {
      const reason = await iterate(search);
      if (reason !== null) return outcome(search, reason);
    } catch (error) {
      // What a cap cut short does not count; everything before it does.
      if (EspalierError.isInstance(error) && error.kind === "budget") {
        return outcome(search, "budget");
      }
      throw error;
    }
  }
}

function outcome(
  { candidates, refusals, disputes, best, changeable, invoked, space }: Search,
  reason: StopReason,
  detail?: string,
): OptimizerOutcome {
  return {
    reason,
    ...(detail === undefined ? {} : { detail }),
    candidates,
    refusals,
    best: best as CandidateRecord,
    neverInvoked: space.components
      .filter((component) => !invoked.has(predictorOf(component)))
      .map(componentId)
      .filter((id) => changeable.includes(id)),
    disputes,
  };
}

function stopReason(search: Search): readonly [StopReason, string?] | null {
  const { settings, candidates, idle, failures, run, iteration, space } = search;
  const best = search.best as CandidateRecord;
  const { stopWhenPerfect, maxReflectionFailures, maxIdleIterations, minibatchSize } = settings;
  const perfectScore = stopWhenPerfect ? settings.perfectScore : null;
  const view = { iterations: iteration, candidates, best, spent: run.spent };
  for (const { name, looksOutside = false, stop } of settings.stop) {
    const detail = looksOutside
      ? run.outside((now) => stop({ ...view, ...now }))
      : stop({ ...view, elapsedMs: 0, costUsd: null });
    if (detail !== null) return ["stopper", `${name}: ${detail}`];
  }
  if (perfectScore !== null && isPerfect(best, perfectScore)) return ["perfect"];
  if (Math.max(0, ...failures.values()) >= maxReflectionFailures) return ["reflection-failing"];
  const epoch = Math.ceil(space.train.length / minibatchSize);
  if (idle >= (maxIdleIterations ?? Math.max(30, 2 * epoch))) return ["nothing-new"];
  return null;
}

function isPerfect({ selection }: CandidateRecord, perfectScore: number): boolean {
  return Object.values(selection.scores).every((score) => score === null || score >= perfectScore);
}

async function evaluateSeed(search: Search): Promise<void> {
  const { space, run } = search;
  const [evaluation] = await evaluateKnown(search, [
    { candidate: 0, components: space.components, split: "val", exampleIds: space.val },
  ]);
  const {
    scores = {},
    coverage = 0,
    rollouts = [],
  } = evaluation ?? ({} as Partial<StepEvaluation>);
  const value = seedValue(evaluation as StepEvaluation);
  const seed: CandidateRecord = deepFreeze({
    id: 0,
    components: space.components,
    parents: [],
    iteration: 0,
    changed: [],
    learntFrom: [],
    selection: { value, scores, coverage, ...objectivesOf(rollouts) },
    acceptance: { by: "seed", detail: "What the search started from." },
    metricCallsBefore: 0,
  });
  addCandidate(search, seed);
  tellAccepted(search, seed);
  run.checkpoint();
}
