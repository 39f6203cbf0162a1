import { deepFreeze } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { componentId } from "../candidate/candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { objectivesOf } from "../evaluation/objectives-of.ts";
import { gainText } from "./acceptance/val-acceptance.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import { earnMerge } from "./merge/merge-proposal.ts";
import type { Child } from "./make-children.ts";
import type { PassedChild } from "./passed-child.ts";
import { refuseChild } from "./refuse-child.ts";
import type { Race } from "./race.ts";
import { race } from "./race.ts";
import { scorePairs, valuedPairs } from "./score-pairs.ts";
import { tellAccepted } from "./tell-accepted.ts";
import type { Search } from "./search.ts";
import { addCandidate } from "./search.ts";
import type { ScorePairs } from "./strategy/strategy.ts";

/** Evaluates children on val, side by side, and adds those that are accepted, in their order. */
export async function validateChildren(
  search: Search,
  passed: readonly PassedChild[],
): Promise<void> {
  const metricCallsBefore = search.run.spent.metricCalls;
  const races = passed.map((one, place) => race(search, one.child, place));
  for (let group = 0; races.some(({ next }) => next(group) !== undefined); group++) {
    const running = whatFits(
      search,
      races.filter(({ next }) => next(group) !== undefined),
      group,
    );
    const evaluations = await evaluateKnown(
      search,
      running.map(({ child: { components }, next }) => ({
        candidate: "proposed" as const,
        components,
        split: "val" as const,
        exampleIds: next(group) ?? [],
      })),
    );
    for (const [place, one] of running.entries()) one.take(evaluations[place] as StepEvaluation);
  }
  // What one child brought the other may have inherited.
  const spentAfter = search.run.spent.metricCalls;
  let spentBefore = metricCallsBefore;
  for (const [place, one] of passed.entries()) {
    const { stopped, evaluation, taken } = races[place] as Race;
    const why = stopped();
    if (why === null) await settle(search, one, evaluation(), spentBefore);
    else refuseChild(search, one.child, why.reason, why.detail);
    spentBefore = Math.min(spentBefore + taken() * search.run.repetitions, spentAfter);
  }
}

/**
 * Leaves out the last ones until the budget has room for the others' next groups and for all that the
 * first may still take, so that not all of them are lost halfway.
 */
function whatFits({ run }: Search, races: readonly Race[], group: number): readonly Race[] {
  const [first, ...others] = races;
  if (first === undefined) return races;
  const running = [...others];
  const metricCalls = (): number =>
    running.reduce((sum, { costOf }) => sum + costOf(group), first.costFrom(group));
  while (running.length > 0 && !run.fits({ metricCalls: metricCalls(), reflections: 0 })) {
    running.pop()?.drop();
  }
  return [first, ...running];
}

async function settle(
  search: Search,
  { child, onTrain, gate }: PassedChild,
  evaluation: StepEvaluation,
  spentBefore: number,
): Promise<void> {
  const { settings, candidates, run, lessons, iteration } = search;
  const { parent, components, changed, exampleIds } = child;
  const { value, scores, coverage, rollouts } = evaluation;
  if (!evaluation.isAcceptable || value === null) {
    return refuseChild(search, child, "low-coverage", "Faults left too little of val to judge.");
  }
  let shown = onTrain;
  const onVal = valuedPairs(run, { split: "val", parent: parent.selection, child: evaluation });
  const verdict = await settings.valAcceptance.judge(onVal, async () => {
    const pairs = await onAddressed(search, child);
    shown = pairs?.onTrain ?? shown;
    return pairs;
  });
  if (!verdict.accepts) return refuseChild(search, child, "not-better-on-val", verdict.reason);
  const id = candidates.length;
  const parents = [parent.id];
  const candidate: CandidateRecord = deepFreeze({
    id,
    components,
    parents,
    iteration,
    changed: changed.map(componentId),
    learntFrom: [...exampleIds],
    ...(gate && { gate: { exampleIds: [...exampleIds], ...gate } }),
    selection: { value, scores, coverage, ...objectivesOf(rollouts) },
    acceptance: { by: settings.valAcceptance.name, detail: verdict.reason ?? gainText(onVal) },
    metricCallsBefore: spentBefore,
  });
  addCandidate(search, candidate, verdict.supersedes);
  lessons.inherit(candidate, { exampleIds: exampleIds.slice(0, 1), components: changed });
  lessons.add(id, shown?.rollouts ?? []);
  search.merges = earnMerge(search.merges, settings.merge);
  tellAccepted(search, candidate);
}

/** Parent and child on the example that the child is about; `null` when that does not fit. */
async function onAddressed(
  search: Search,
  { parent, components, exampleIds: learntFrom }: Child,
): Promise<(ScorePairs & { readonly onTrain: StepEvaluation }) | null> {
  const exampleIds = learntFrom.slice(0, 1);
  if (!search.run.fits({ metricCalls: 2 * exampleIds.length, reflections: 0 })) return null;
  const split = "train" as const;
  const [before, after] = await evaluateKnown(search, [
    { candidate: parent.id, components: parent.components, split, exampleIds },
    { candidate: "proposed", components, split, exampleIds },
  ]);
  if (before === undefined || after === undefined) return null;
  return { ...scorePairs(before.scores, after.scores), onTrain: after };
}
