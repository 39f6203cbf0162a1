import { componentId } from "../../../internal/index.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { MergedChild } from "../strategy/merge-proposal.ts";
import { scorePairs } from "../strategy/score-pairs.ts";
import { isText } from "../../task/search-space.ts";
import { sum } from "../../../statistics/index.ts";

/** The child of two candidates, if a merge is due and possible. */
export function proposeMerge(
  state: SearchState,
  tools: Tools,
): { readonly child: MergedChild | null; readonly decisions: readonly Decision[] } {
  const { merge } = tools.settings;
  if (merge === null) return { child: null, decisions: [] };
  const { merges } = state;
  const child = merge.isDue(merges) ? merge.propose(searchView(state, tools), merges) : null;
  const sought: Decision = { kind: "merge-sought", child };
  if (child === null) return { child, decisions: [sought] };
  const { parents, texts } = changesOf(child, state);
  return { child, decisions: [sought, { kind: "proposed", parents, texts }] };
}

/**
 * Evaluates a merged child. It must not fall behind the better of its parents on a few val examples
 * before it is evaluated on the whole sample.
 */
export async function judgeMerged(
  child: MergedChild,
  state: SearchState,
  tools: Tools,
): Promise<readonly Decision[]> {
  const { run, space, evidence } = tools;
  const { iteration } = state;
  const { components, parents, exampleIds } = child;
  const changes = changesOf(child, state);
  const rejected = (
    reason: "not-selected" | "not-better" | "low-coverage",
    detail: string,
  ): readonly Decision[] => [{ kind: "rejected", rejection: { ...changes, reason, detail } }];
  if (!run.fits({ rollouts: maxNeeded(child, tools), reflectionCalls: 0 })) {
    return rejected("not-selected", "Its evaluation does not fit the budget.");
  }
  const request = { candidate: "proposed" as const, components, split: "val" as const };
  const [tryout] = await evidence.evaluate(iteration, [{ ...request, exampleIds }]);
  const behind = tryout && shortfall(child, tryout, state);
  if (typeof behind === "string") return rejected("not-better", behind);
  const metricCallsBefore = run.spent.metricCalls;
  const [onVal] = await evidence.evaluate(iteration, [{ ...request, exampleIds: space.val }]);
  const selection = onVal === undefined ? null : tools.selectionOf(onVal);
  if (selection === null) {
    return rejected("low-coverage", "Faults left too little of val to judge.");
  }
  const detail = "On the examples tried first no worse than the better of its parents.";
  return [
    {
      kind: "accepted",
      by: "merge",
      candidate: {
        components,
        parents,
        changed: changes.components,
        learntFrom: [],
        selection,
        acceptance: { by: "merge", detail },
        metricCallsBefore,
      },
      actedOn: { exampleIds: [], components: [] },
      onTrain: [],
    },
  ];
}

/** The components that differ from the first parent. */
function changesOf(
  { components, parents }: MergedChild,
  { candidates }: SearchState,
): {
  readonly parents: readonly number[];
  readonly components: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
} {
  const before = candidates[parents[0]]?.components ?? [];
  const changed = components.filter(({ value }, index) => value !== before[index]?.value);
  const texts = Object.fromEntries(
    changed.filter(isText).map((held) => [componentId(held), held.value]),
  );
  return { parents, components: changed.map(componentId), texts };
}

/** Rollouts of both evaluations; with score reuse, the second reuses the runs of the first. */
function maxNeeded({ components, exampleIds }: MergedChild, { evidence, space }: Tools): number {
  if (evidence.mode === "none") return exampleIds.length + space.val.length;
  return evidence.missingOn(space.val, components);
}

/** By how much the child's sum is below its better parent's, as a sentence; `null` if it is not. */
function shortfall(
  { parents }: MergedChild,
  { scores }: StepEvaluation,
  { candidates }: SearchState,
): string | null {
  const pairs = parents.map((id) => scorePairs(candidates[id]?.selection.scores ?? {}, scores));
  const needed = Math.max(...pairs.map(({ parent }) => sum(parent)));
  const reached = sum(pairs[0]?.child ?? []);
  const [after, before] = [reached, needed].map((sum) => Number(sum.toFixed(4)));
  if (reached >= needed) return null;
  return `Sum of ${after} on the examples tried first, its better parent's is ${before}.`;
}
