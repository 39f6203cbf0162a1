import { mustPassMinibatch } from "../settings/must-pass-minibatch.ts";
import { neededOnVal } from "../state/needed-on-val.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import type { Minibatch, ProposalTask } from "../strategy/strategy.ts";

/**
 * Selects the tasks, in order, that the budget can carry to the end together. Of the tasks whose
 * child must first pass on its minibatch, only one is assumed to reach val.
 */
export function affordableTasks(
  state: SearchState,
  tasks: readonly ProposalTask[],
  tools: Tools,
): readonly ProposalTask[] {
  let needed = { always: 0, afterGate: 0, reflectionCalls: 0 };
  return tasks.filter((task) => {
    if (task.minibatch === null) return true;
    const { onTrain, onVal, isGated } = needOf(tools, task.minibatch, state);
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
  tools: Tools,
  minibatch: Minibatch,
  state: SearchState,
): { readonly onTrain: number; readonly onVal: number; readonly isGated: boolean } {
  const { settings, space, evidence } = tools;
  const isKnown = minibatch.kind === "known";
  const { length } = minibatch.exampleIds;
  const size = isKnown ? Math.min(length, settings.minibatchSize) : length;
  const missing = isKnown ? evidence.mostMissingOnVal(minibatch.components) : space.val.length;
  const onVal = neededOnVal(missing, state, tools);
  // The adaptive gate is passed by where there is no room for it.
  const isGated =
    settings.gateAbove !== "adaptive" && mustPassMinibatch(settings, { onVal: missing });
  return { onTrain: isGated ? 2 * size : isKnown ? 0 : size, onVal, isGated };
}
