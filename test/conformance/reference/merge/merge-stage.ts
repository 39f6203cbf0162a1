import { componentId } from "../../../../src/internal/index.ts";
import type { StepEvaluation } from "../../../../src/optimizer/evaluation/index.ts";
import type { Search } from "../../../../src/optimizer/gepa/state/search.ts";
import { scorePairs } from "../../../../src/optimizer/gepa/strategy/score-pairs.ts";
import { isText } from "../../../../src/optimizer/task/search-space.ts";
import { sum } from "../../../../src/statistics/index.ts";
import type { MergedChild, MergeHistory, MergeProposal } from "./merge-proposal.ts";
import { noMerges } from "./merge-proposal.ts";

/**
 * What `runGepa` does instead of reflection where a merge is due and possible. For one run: it
 * holds what the run has merged.
 */
export function mergeStage(merge: MergeProposal): (search: Search) => Promise<boolean> {
  const history: { -readonly [Name in keyof MergeHistory]: MergeHistory[Name] } = { ...noMerges };
  // The seed, and candidates seen before.
  let known = 1;
  return async (search) => {
    for (const { parents } of search.candidates.slice(known)) {
      if (parents.length > 1) continue;
      if (merge.isEarned(history)) history.due++;
      history.isNewSince = true;
    }
    known = search.candidates.length;
    const view = { ...search.view(), val: search.space.val };
    const child = merge.isDue(history) ? merge.propose(view, history) : null;
    history.isNewSince = false;
    if (child === null) return false;
    history.proposed = [...history.proposed, child];
    const { parents, texts } = changesOf(child, search);
    search.propose(parents, texts);
    if (await isAccepted(child, search)) {
      history.due--;
      history.accepted++;
    }
    return true;
  };
}

/**
 * Evaluates a merged child. It must not fall behind the better of its parents on a few val examples
 * before it is evaluated on the whole sample.
 */
async function isAccepted(child: MergedChild, search: Search): Promise<boolean> {
  const { run, space } = search;
  const { components, parents, exampleIds } = child;
  const { texts, components: changed } = changesOf(child, search);
  const rejected = (
    reason: "not-selected" | "not-better" | "low-coverage",
    detail: string,
  ): boolean => {
    search.reject({ parents, components: changed, texts, reason, detail });
    return false;
  };
  if (!run.fits({ rollouts: maxNeeded(child, search), reflectionCalls: 0 })) {
    return rejected("not-selected", "Its evaluation does not fit the budget.");
  }
  const request = { candidate: "proposed" as const, components, split: "val" as const };
  const [tryout] = await search.evaluate([{ ...request, exampleIds }]);
  const behind = tryout && shortfall(child, tryout, search);
  if (typeof behind === "string") return rejected("not-better", behind);
  const metricCallsBefore = run.spent.metricCalls;
  const [onVal] = await search.evaluate([{ ...request, exampleIds: space.val }]);
  const selection = onVal === undefined ? null : search.selectionOf(onVal);
  if (selection === null) {
    return rejected("low-coverage", "Faults left too little of val to judge.");
  }
  const detail = "On the examples tried first no worse than the better of its parents.";
  search.accept({
    components,
    parents,
    changed,
    learntFrom: [],
    selection,
    acceptance: { by: "merge", detail },
    metricCallsBefore,
  });
  return true;
}

/** The components that differ from the first parent. */
function changesOf(
  { components, parents }: MergedChild,
  { candidates }: Search,
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
function maxNeeded({ components, exampleIds }: MergedChild, search: Search): number {
  return search.settings.search.scoreReuse === "none"
    ? exampleIds.length + search.space.val.length
    : search.missingOnVal(components);
}

/** By how much the child's sum is below its better parent's, as a sentence; `null` if it is not. */
function shortfall(
  { parents }: MergedChild,
  { scores }: StepEvaluation,
  { candidates }: Search,
): string | null {
  const pairs = parents.map((id) => scorePairs(candidates[id]?.selection.scores ?? {}, scores));
  const needed = Math.max(...pairs.map(({ parent }) => sum(parent)));
  const reached = sum(pairs[0]?.child ?? []);
  const [after, before] = [reached, needed].map((one) => Number(one.toFixed(4)));
  if (reached >= needed) return null;
  return `Sum of ${after} on the examples tried first, its better parent's is ${before}.`;
}
