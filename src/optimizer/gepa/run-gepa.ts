import { EspalierError } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { neverInvoked } from "../candidate/never-invoked.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { GepaSettings } from "./settings/gepa-settings.ts";
import { completeBest, confirmBest } from "./finalists/confirm-best.ts";
import { doubtStalled } from "./finalists/doubt-stalled.ts";
import { evaluateSeed } from "./stage/evaluate-seed.ts";
import { gate } from "./stage/gate.ts";
import { judgeChildren } from "./stage/judge-children.ts";
import { judgeMerged, proposeMerge } from "./merge/merge-candidates.ts";
import { measureFinalists } from "./finalists/measure-finalists.ts";
import { reflect } from "./stage/reflect.ts";
import { select } from "./stage/select.ts";
import { advance } from "./state/advance.ts";
import type { Course } from "./state/course.ts";
import type { Act } from "./state/decision.ts";
import { keepingForBest } from "./state/kept-for-best.ts";
import type { SearchState } from "./state/search-state.ts";
import { startState } from "./state/search-state.ts";
import type { Tools } from "./state/tools.ts";
import { startTools } from "./state/tools.ts";
import { stopReason } from "./stop-reason.ts";

/**
 * The search. Stages read the state and return their decisions; only `advance` writes the state and
 * emits events. What a stage runs goes into `tools.evidence` at once, a cache of scores and
 * lessons, since the next evaluation of the same iteration reuses it; `Evidence` reports these
 * runs.
 */
export async function runGepa(
  space: SearchSpace,
  run: OptimizerRun,
  settings: GepaSettings,
): Promise<OptimizerOutcome> {
  const tools = startTools(space, run, settings);
  let state = startState(settings.frontier);
  const act: Act = (decisions) => {
    state = advance(state, decisions, tools);
  };
  const course: Course = { state: () => state, act };
  act(await evaluateSeed(tools));
  run.checkpoint();
  for (;;) {
    const end = stopReason(state, tools);
    try {
      if (end !== null) {
        if (mayRunOn.has(end[0])) {
          await completeBest(course, tools);
          await measureFinalists(course, tools);
        }
        return outcome(state, tools, ...end);
      }
      act([{ kind: "iteration-begun" }]);
      let isOverBudget = false;
      const held = keepingForBest(state, tools);
      const merge = proposeMerge(state, held);
      act(merge.decisions);
      if (merge.child !== null) {
        act(await judgeMerged(merge.child, state, held));
      } else {
        const selected = await select(state, held);
        act(selected.decisions);
        const textsBefore = run.spent.reflectionCalls;
        const children = await reflect(selected.proposals, state, { tools: held, act });
        const spentBefore = run.spent.metricCalls;
        const gated = await gate(children, state, held);
        act(gated.decisions);
        await judgeChildren(gated.children, course, held);
        // Free children count as none: what cannot spend the budget must not go on for ever.
        const isTried = Number.isFinite(run.rolloutsLeft(0))
          ? run.spent.metricCalls > spentBefore
          : children.length > 0 && run.spent.reflectionCalls > textsBefore;
        const iterations = settings.proposals.isWide === true ? selected.proposals.length : 1;
        act([
          isTried
            ? { kind: "text-tried" }
            : { kind: "nothing-tried", iterations: Math.max(1, iterations) },
        ]);
        isOverBudget = selected.isOverBudget;
      }
      await confirmBest(course, tools);
      if (isOverBudget) {
        // Without texts or room for a child, what is left still tells which candidate is best.
        const seeksNoise = !run.fits({ rollouts: 0, reflectionCalls: 1 });
        await completeBest(course, tools);
        if (Number.isFinite(run.rolloutsLeft(0))) {
          await measureFinalists(course, tools, { seeksNoise });
        }
      } else {
        await doubtStalled(course, tools);
      }
      act([{ kind: "iteration-ended" }]);
      if (isOverBudget) return outcome(state, tools, "budget");
    } catch (error) {
      // Work that a cap cut short does not count; everything before it does.
      if (EspalierError.isInstance(error) && error.kind === "budget") {
        return outcome(state, tools, ...(end ?? budgetReached));
      }
      throw error;
    }
  }
}

/** Endings that leave what the best candidate still needs on val to be spent. */
const mayRunOn: ReadonlySet<StopReason> = new Set(["nothing-new", "perfect"]);

const budgetReached: readonly [reason: StopReason, detail?: string] = ["budget"];

function outcome(
  { candidates, rejections, best }: SearchState,
  { space, changeable, evidence }: Tools,
  reason: StopReason,
  detail?: string,
): OptimizerOutcome {
  return {
    reason,
    ...(detail === undefined ? {} : { detail }),
    candidates,
    refusals: rejections,
    best: best as CandidateRecord,
    neverInvoked: neverInvoked(
      space.components.filter((component) => changeable.includes(componentId(component))),
      (predictor) => evidence.wasInvoked(predictor),
    ),
    disputes: evidence.mismatches,
  };
}
