import type { Stage } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import type { GatedChild } from "./gate.ts";
import { judge } from "./judge.ts";
import { droppedChild } from "./rejected-child.ts";
import { validate } from "./validate.ts";

/**
 * Evaluates children on val and decides which become candidates: side by side or, in a wide search,
 * in order of their gain until one is accepted.
 */
export async function* judgeChildren(
  children: readonly GatedChild[],
  stateNow: () => SearchState,
  tools: Tools,
): Stage {
  if (tools.settings.proposals.isWide !== true) {
    yield* judgeTogether(children, stateNow, tools);
    return;
  }
  for (const one of children.toSorted((one, other) => other.gain - one.gain)) {
    if (stateNow().accepted.length === 0) yield* judgeTogether([one], stateNow, tools);
    else yield droppedChild(one.child, "Another proposal of this iteration was accepted first.");
  }
}

async function* judgeTogether(
  children: readonly GatedChild[],
  stateNow: () => SearchState,
  tools: Tools,
): Stage {
  const validated = await validate(children, stateNow(), tools);
  yield validated.decisions;
  for (const child of validated.children) yield await judge(child, stateNow(), tools);
}
