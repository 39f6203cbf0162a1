import { EspalierError } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { neverInvoked } from "../candidate/components.ts";
import { onPart } from "../contract/search-log.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { seedSelection } from "../evaluation/index.ts";
import type { GepaSettings } from "./settings/gepa-settings.ts";
import { confirmBest } from "./stage/judge.ts";
import { gate } from "./stage/gate.ts";
import { judgeChildren } from "./stage/judge.ts";
import { judgeMerged, proposeMerge } from "./stage/merge.ts";
import { reflect } from "./stage/reflect.ts";
import { select } from "./stage/select.ts";
import { advance } from "./state/advance.ts";
import type { Acceptance, Stage } from "./state/decision.ts";
import type { Search, SearchState } from "./state/search-state.ts";
import { startState } from "./state/search-state.ts";
import type { Tools } from "./state/tools.ts";
import { onSample, startTools } from "./state/tools.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * The search. Stages read the state and decide; only `advance`, called here, writes the state and
 * emits events. What a stage runs goes into `tools.evidence` at once, a cache of scores and
 * lessons, since the next evaluation of the same iteration reuses it; `Evidence` reports these
 * runs.
 */
export async function runGepa(
  space: SearchSpace,
  run: OptimizerRun,
  settings: GepaSettings,
): Promise<OptimizerOutcome> {
  const { tools, seed } = await evaluatedSeed(space, startTools(space, run, settings));
  const search = { state: startState(settings.frontier) };
  const carryOut = async (stage: Stage): Promise<void> => {
    for await (const decisions of stage) search.state = advance(search.state, decisions, tools);
  };
  search.state = advance(search.state, [seed], tools);
  run.checkpoint();
  let ending: Ending | null = null;
  try {
    while (ending === null) {
      ending = stopReason(search.state, tools);
      if (ending === null) await carryOut(iteration(search, tools));
    }
  } catch (error) {
    // Work that a cap cut short does not count; everything before it does.
    if (!EspalierError.isInstance(error) || error.kind !== "budget") throw error;
  }
  return outcome(search.state, tools, ending ?? ["budget"]);
}

/** A new candidate, or the reasons why there is none. */
async function* iteration(search: Search, tools: Tools): Stage {
  yield [{ kind: "iteration-begun" }];
  const merge = proposeMerge(search.state, tools);
  yield merge.decisions;
  if (merge.child === null) yield* propose(search, tools);
  else yield await judgeMerged(merge.child, search.state, tools);
  yield* confirmBest(search, tools);
  yield [{ kind: "iteration-ended" }];
}

/** Chooses what to learn from, has texts written, and judges the children that have them. */
async function* propose(search: Search, tools: Tools): Stage {
  const { run } = tools;
  const { proposals, decisions } = await select(search.state, tools);
  yield decisions;
  const textsBefore = run.spent.reflectionCalls;
  const children = yield* reflect(proposals, search.state, tools);
  const spentBefore = run.spent.metricCalls;
  const gated = await gate(children, search.state, tools);
  yield gated.decisions;
  yield* judgeChildren(gated.children, search.state, tools);
  // Free children count as none: what cannot spend the budget must not go on for ever.
  const isTried = Number.isFinite(run.rolloutsLeft(0))
    ? run.spent.metricCalls > spentBefore
    : children.length > 0 && run.spent.reflectionCalls > textsBefore;
  yield [{ kind: isTried ? "text-tried" : "nothing-tried" }];
}

function outcome(
  { candidates, rejections, best }: SearchState,
  { space, changeable, evidence }: Tools,
  [reason, detail]: Ending,
): OptimizerOutcome {
  return {
    reason,
    ...(detail === undefined ? {} : { detail }),
    candidates,
    rejections,
    best: best as CandidateRecord,
    neverInvoked: neverInvoked(
      space.components.filter((component) => changeable.includes(componentId(component))),
      (predictor) => evidence.wasInvoked(predictor),
    ),
    disputes: evidence.mismatches,
  };
}

type Ending = readonly [reason: StopReason, detail?: string];

/** Why the search ends here, between two iterations, with further explanation; or `null`. */
function stopReason(state: SearchState, tools: Tools): Ending | null {
  if (state.isOverBudget) return ["budget"];
  return byStopper(state, tools) ?? bySearch(state, tools) ?? fromOutside(tools);
}

function byStopper(
  { candidates, best, iteration }: SearchState,
  { settings, run }: Tools,
): Ending | null {
  const { spent } = run;
  for (const { name, stop } of settings.stop) {
    const detail = stop({
      iterations: iteration,
      candidates,
      best: best as CandidateRecord,
      spent,
    });
    if (detail !== null) return ["stopper", `${name}: ${detail}`];
  }
  return null;
}

function bySearch(
  { best, idle, failures }: SearchState,
  { settings, space }: Tools,
): Ending | null {
  const { stopWhenPerfect, maxReflectionFailures, maxIdleIterations, minibatchSize } = settings;
  const perfectScore = stopWhenPerfect ? settings.perfectScore : null;
  if (perfectScore !== null && isPerfect(best as CandidateRecord, perfectScore)) return ["perfect"];
  if (Math.max(0, ...failures.values()) >= maxReflectionFailures) return ["reflection-failing"];
  const epoch = Math.ceil(space.train.length / minibatchSize);
  if (idle >= (maxIdleIterations ?? Math.max(30, 2 * epoch))) return ["nothing-new"];
  return null;
}

/** Last, so that a run stopped from outside is one that would have gone on. */
function fromOutside({ run }: Tools): Ending | null {
  const detail = run.stopAsked();
  return detail === null ? null : ["stopper", detail];
}

function isPerfect({ selection }: CandidateRecord, perfectScore: number): boolean {
  return Object.values(selection.scores).every((score) => score === null || score >= perfectScore);
}

/** Examples of val that the metric must apply to, unless it has none left to draw. */
const minScored = 8;

/**
 * The seed as a candidate, and the tools for the sample of val that it was evaluated on. Where the
 * metric turns out to apply to very few of the sample's examples, the sample is doubled as far as
 * the budget allows.
 */
async function evaluatedSeed(
  whole: SearchSpace,
  started: Tools,
): Promise<{ readonly tools: Tools; readonly seed: Acceptance }> {
  const { run, evidence } = started;
  const { components } = whole;
  let tools = started;
  for (;;) {
    const { val } = tools.space;
    const [evaluation] = await evidence.evaluate(0, [
      { candidate: 0, components, split: "val", exampleIds: val },
    ]);
    const { rollouts } = evaluation as StepEvaluation;
    const scored = rollouts.filter(({ score }) => score.kind === "scored").length;
    const applies = rollouts.every(({ score }) => score.kind !== "not-applicable");
    const size = Math.min(2 * val.length, whole.val.length);
    const fits = run.fits({ rollouts: size - val.length, reflectionCalls: 0 });
    if (size > val.length && scored < minScored && !applies && fits) {
      tools = onSample(tools, whole, size);
      continue;
    }
    const selection = onPart(
      seedSelection(evaluation as StepEvaluation),
      val.length,
      whole.val.length,
    );
    const acceptance = { by: "seed", detail: "What the search started from." };
    const candidate = {
      components,
      parents: [],
      changed: [],
      learntFrom: [],
      selection,
      acceptance,
      metricCallsBefore: 0,
    };
    const actedOn = { exampleIds: [], components: [] };
    return { tools, seed: { kind: "accepted", by: "seed", candidate, actedOn, onTrain: [] } };
  }
}
