import { componentId } from "../../internal/index.ts";
import { neverInvoked } from "../candidate/components.ts";
import type { Ending } from "../contract/search-log.ts";
import { onPart, withinBudget } from "../contract/search-log.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { seedSelection } from "../evaluation/index.ts";
import type { GepaSettings } from "./settings/gepa-settings.ts";
import { confirmBest, judgeChildren } from "./stage/judge.ts";
import { gate } from "./stage/gate.ts";
import { reflect } from "./stage/reflect.ts";
import { select } from "./stage/select.ts";
import { Search } from "./state/search.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * The search.
 *
 * @param insteadOfReflection makes a candidate in another way where it can, and tells whether it
 *   tried; the conformance tests merge candidates so, as gepa 0.1.4 does
 */
export async function runGepa(
  space: SearchSpace,
  run: OptimizerRun,
  settings: GepaSettings,
  insteadOfReflection: (search: Search) => Promise<boolean> = () => Promise.resolve(false),
): Promise<OptimizerOutcome> {
  const search = new Search(space, run, settings);
  await evaluateSeed(search, space);
  run.checkpoint();
  const ending = await withinBudget(async (): Promise<Ending> => {
    for (;;) {
      const reason = stopReason(search);
      if (reason !== null) return reason;
      search.beginIteration();
      if (!(await insteadOfReflection(search))) await propose(search);
      await confirmBest(search);
      search.endIteration();
    }
  });
  return outcome(search, space, ending ?? ["budget"]);
}

/** Chooses what to learn from, has texts written, and judges the children that have them. */
async function propose(search: Search): Promise<void> {
  const { run } = search;
  const proposals = await select(search);
  const textsBefore = run.spent.reflectionCalls;
  const children = await reflect(proposals, search);
  const spentBefore = run.spent.metricCalls;
  await judgeChildren(await gate(children, search), search);
  // Free children count as none: what cannot spend the budget must not go on for ever.
  const isTried = Number.isFinite(run.rolloutsLeft(0))
    ? run.spent.metricCalls > spentBefore
    : children.length > 0 && run.spent.reflectionCalls > textsBefore;
  search.idle = isTried ? 0 : search.idle + 1;
}

function outcome(
  { candidates, rejections, best, changeable, evidence }: Search,
  { components }: SearchSpace,
  [reason, detail]: Ending,
): OptimizerOutcome {
  return {
    reason,
    ...(detail === undefined ? {} : { detail }),
    candidates,
    rejections,
    best,
    neverInvoked: neverInvoked(
      components.filter((component) => changeable.includes(componentId(component))),
      (predictor) => evidence.wasInvoked(predictor),
    ),
    disputes: evidence.disputes,
  };
}

/** Why the search ends here, between two iterations, with further explanation; or `null`. */
function stopReason(search: Search): Ending | null {
  if (search.isOverBudget) return ["budget"];
  return byStopper(search) ?? bySearch(search) ?? fromOutside(search);
}

function byStopper({ candidates, best, iteration, settings, run }: Search): Ending | null {
  for (const { name, stop } of settings.stop.when) {
    const detail = stop({ iterations: iteration, candidates, best, spent: run.spent });
    if (detail !== null) return ["stopper", `${name}: ${detail}`];
  }
  return null;
}

function bySearch({ idle, failureStreak, settings, space }: Search): Ending | null {
  const { maxReflectionFailures, maxIdleIterations } = settings.stop;
  const { minibatchSize } = settings.search;
  if (failureStreak >= maxReflectionFailures) return ["reflection-failing"];
  const epoch = Math.ceil(space.train.length / minibatchSize);
  if (idle >= (maxIdleIterations ?? Math.max(30, 2 * epoch))) return ["nothing-new"];
  return null;
}

/** Last, so that a run stopped from outside is one that would have gone on. */
function fromOutside({ run }: Search): Ending | null {
  const detail = run.stopAsked();
  return detail === null ? null : ["stopper", detail];
}

/** Examples of val that the metric must apply to, unless it has none left to draw. */
const minScored = 8;

/**
 * Makes the seed a candidate. Where the metric turns out to apply to very few of the examples of
 * val that it was evaluated on, this sample is doubled as far as the budget allows.
 */
async function evaluateSeed(search: Search, whole: SearchSpace): Promise<void> {
  const { run } = search;
  const { components } = whole;
  for (;;) {
    const { val } = search.space;
    const [evaluation] = await search.evaluate([
      { candidate: 0, components, split: "val", exampleIds: val },
    ]);
    const { rollouts } = evaluation as StepEvaluation;
    const scored = rollouts.filter(({ score }) => score.kind === "scored").length;
    const applies = rollouts.every(({ score }) => score.kind !== "not-applicable");
    const size = Math.min(2 * val.length, whole.val.length);
    const fits = run.fits({ rollouts: size - val.length, reflectionCalls: 0 });
    if (size > val.length && scored < minScored && !applies && fits) {
      search.space = search.onSample(size);
      continue;
    }
    const selection = seedSelection(evaluation as StepEvaluation);
    search.accept({
      components,
      parents: [],
      changed: [],
      learntFrom: [],
      selection: onPart(selection, val.length, whole.val.length),
      acceptance: { by: "seed", detail: "What the search started from." },
      metricCallsBefore: 0,
    });
    return;
  }
}
