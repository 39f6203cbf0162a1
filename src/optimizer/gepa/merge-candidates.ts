import { deepFreeze } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { componentId } from "../candidate/candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { objectivesOf } from "../evaluation/objectives-of.ts";
import { sumOf } from "./acceptance/minibatch-acceptance.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import type { MergedChild } from "./merge/merge-proposal.ts";
import { refuse } from "./refuse.ts";
import { scorePairs } from "./score-pairs.ts";
import type { Search } from "./search.ts";
import { addCandidate } from "./search.ts";
import { tellAccepted } from "./tell-accepted.ts";
import { isText } from "./strategy/text-component.ts";

/**
 * Merges two candidates where that is due, and says whether it was tried. The child must not fall behind
 * the better of its parents on a few examples of val before it is evaluated on all of them.
 */
export async function mergeCandidates(search: Search): Promise<boolean> {
  const { settings, merges } = search;
  const { merge } = settings;
  if (merge === null) return false;
  const child = merge.isDue(merges) ? merge.propose(search.view, merges) : null;
  search.merges = { ...merges, isNewSince: false };
  if (child === null) return false;
  search.merges = { ...search.merges, proposed: [...merges.proposed, child] };
  await tryMerged(search, child);
  return true;
}

async function tryMerged(search: Search, child: MergedChild): Promise<void> {
  const { candidates, run, space, iteration, merges } = search;
  const { components, parents, exampleIds } = child;
  const told = changesOf(search, child);
  run.emit({ kind: "candidate-proposed", iteration, parents, texts: told.texts });
  if (!run.fits({ metricCalls: mostNeeded(search, child), reflections: 0 })) {
    const detail = "Its evaluation does not fit the budget.";
    return refuse(search, { ...told, reason: "not-selected", detail });
  }
  const request = { candidate: "proposed" as const, components, split: "val" as const };
  const [tryout] = await evaluateKnown(search, [{ ...request, exampleIds }]);
  const behind = tryout && shortfall(search, child, tryout);
  if (typeof behind === "string") {
    return refuse(search, { ...told, reason: "not-better", detail: behind });
  }
  const metricCallsBefore = run.spent.metricCalls;
  const [onVal] = await evaluateKnown(search, [{ ...request, exampleIds: space.val }]);
  if (onVal?.isAcceptable !== true || onVal.value === null) {
    const detail = "Faults left too little of val to judge.";
    return refuse(search, { ...told, reason: "low-coverage", detail });
  }
  const { value, scores, coverage, rollouts } = onVal;
  const id = candidates.length;
  const candidate: CandidateRecord = deepFreeze({
    id,
    components,
    parents,
    iteration,
    changed: told.components,
    learntFrom: [],
    selection: { value, scores, coverage, ...objectivesOf(rollouts) },
    acceptance: { by: "merge", detail: "On part of val no worse than the better of its parents." },
    metricCallsBefore,
  });
  addCandidate(search, candidate);
  search.lessons.inherit(candidate, { exampleIds: [], components: [] });
  search.merges = { ...merges, due: merges.due - 1, accepted: merges.accepted + 1 };
  tellAccepted(search, candidate);
}

/** What differs from the first parent. */
function changesOf(
  { candidates }: Search,
  { components, parents }: MergedChild,
): {
  readonly parents: readonly number[];
  readonly components: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
} {
  const before = candidates[parents[0]]?.components ?? [];
  const changed = components.filter(({ value }, place) => value !== before[place]?.value);
  const texts = Object.fromEntries(
    changed.filter(isText).map((held) => [componentId(held), held.value]),
  );
  return deepFreeze({ parents, components: changed.map(componentId), texts });
}

/** Metric calls of both evaluations; what the first brings is known to the second, if anything is kept. */
function mostNeeded({ memory, space }: Search, { components, exampleIds }: MergedChild): number {
  if (memory.inheritance === "none") return exampleIds.length + space.val.length;
  const known = memory.known(components, "val");
  return space.val.filter((id) => known(id) === undefined).length;
}

/** By how much the child's sum is below its better parent's, in a sentence; `null` when it is not. */
function shortfall(
  { candidates }: Search,
  { parents }: MergedChild,
  { scores }: StepEvaluation,
): string | null {
  const pairs = parents.map((id) => scorePairs(candidates[id]?.selection.scores ?? {}, scores));
  const needed = Math.max(...pairs.map(({ parent }) => sumOf(parent)));
  const reached = sumOf(pairs[0]?.child ?? []);
  const [after, before] = [reached, needed].map((sum) => Number(sum.toFixed(4)));
  if (reached >= needed) return null;
  return `Sum of ${after} on part of val, its better parent's is ${before}.`;
}
