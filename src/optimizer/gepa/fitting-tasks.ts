import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { Search } from "./search.ts";
import type { Minibatch, ProposalTask, SearchView } from "./strategy/strategy.ts";

/**
 * Tasks that the budget can carry to their ends together, the first ones first. Of those that must show
 * on their minibatches that they are better, one is taken to come to val.
 */
export function fittingTasks(
  search: Search,
  tasks: readonly ProposalTask[],
): readonly ProposalTask[] {
  const view = search.view;
  let needed = { always: 0, afterGate: 0, reflections: 0 };
  return tasks.filter((task) => {
    if (task.minibatch === null) return true;
    const { onTrain, onVal, isGated } = needOf(search, view, task.minibatch, task.parent);
    const next = {
      always: needed.always + onTrain + (isGated ? 0 : onVal),
      afterGate: Math.max(needed.afterGate, isGated ? onVal : 0),
      reflections: needed.reflections + 1,
    };
    const metricCalls = next.always + next.afterGate;
    const fits = search.run.fits({ metricCalls, reflections: next.reflections });
    if (fits) needed = next;
    return fits;
  });
}

/** Metric calls that a proposal takes at most. */
function needOf(
  { settings, candidates, space }: Search,
  view: SearchView,
  minibatch: Minibatch,
  parentId: number,
): { readonly onTrain: number; readonly onVal: number; readonly isGated: boolean } {
  const { gateAbove, minibatchSize } = settings;
  const parent = candidates[parentId] as CandidateRecord;
  const size = minibatch.exampleIds.length;
  const isKnown = minibatch.kind === "known";
  const onVal = isKnown ? view.mostMissingOnVal(parent, minibatch.components) : space.val.length;
  const isGated = gateAbove !== null && onVal > gateAbove * minibatchSize;
  return { onTrain: isGated ? 2 * size : isKnown ? 0 : size, onVal, isGated };
}
