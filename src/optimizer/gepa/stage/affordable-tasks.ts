import { mustPassMinibatch } from "../settings/must-pass-minibatch.ts";
import type { Tools } from "../state/tools.ts";
import type { Minibatch, ProposalTask } from "../strategy/strategy.ts";

/**
 * Selects the tasks, in order, that the budget can carry to the end together. Of the tasks whose
 * child must first pass on its minibatch, only one is assumed to reach val.
 */
export function affordableTasks(
  tasks: readonly ProposalTask[],
  tools: Tools,
): readonly ProposalTask[] {
  let needed = { always: 0, afterGate: 0, reflectionCalls: 0 };
  return tasks.filter((task) => {
    if (task.minibatch === null) return true;
    const { onTrain, onVal, isGated } = needOf(tools, task.minibatch);
    const next = {
      always: needed.always + onTrain + (isGated ? 0 : onVal),
      afterGate: Math.max(needed.afterGate, isGated ? onVal : 0),
      reflectionCalls: needed.reflectionCalls + 1,
    };
    const { always, afterGate, reflectionCalls } = next;
    const fits = tools.run.fits({ rollouts: always + afterGate, reflectionCalls });
    if (fits) needed = next;
    return fits;
  });
}

/** Maximum rollouts of a proposal. */
function needOf(
  { settings, space, evidence }: Tools,
  minibatch: Minibatch,
): { readonly onTrain: number; readonly onVal: number; readonly isGated: boolean } {
  const size = minibatch.exampleIds.length;
  const isKnown = minibatch.kind === "known";
  const onVal = isKnown ? evidence.mostMissingOnVal(minibatch.components) : space.val.length;
  const isGated = mustPassMinibatch(settings, onVal);
  return { onTrain: isGated ? 2 * size : isKnown ? 0 : size, onVal, isGated };
}
