import type { CandidateRecord } from "../candidate-record.ts";
import { componentId } from "../candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { sumOf } from "./acceptance/minibatch-acceptance.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import { refuse } from "./refuse.ts";
import { scorePairs } from "./score-pairs.ts";
import type { Search } from "./search.ts";
import { addCandidate, viewOf } from "./search.ts";
import { objectivesOf } from "./validate-children.ts";

/**
 * Merges two candidates where that is due, and says whether it was tried. The child must not fall behind
 * the better of its parents on a few examples of val before it is evaluated on all of them.
 */
export async function mergeCandidates(search: Search): Promise<boolean> {
  const { settings, merges, candidates, run, space, iteration } = search;
  const { merge } = settings;
  if (merge === null) return false;
  const isDue = merge.isDue(merges);
  const child = isDue ? merge.propose(viewOf(search), merges) : null;
  merges.isNewSince = false;
  if (child === null) return false;
  const { components, parents, exampleIds } = child;
  const [one, other] = parents.map((id) => candidates[id]) as [CandidateRecord, CandidateRecord];
  const changed = components.filter((held, place) => held.value !== one.components[place]?.value);
  const texts = Object.fromEntries(changed.map((held) => [componentId(held), String(held.value)]));
  run.emit({ kind: "candidate-proposed", iteration, parents, texts });
  const told = { parents, components: changed.map(componentId), texts };
  const request = { candidate: "proposed" as const, components, split: "val" as const };
  if (!run.fits({ metricCalls: exampleIds.length + space.val.length, reflections: 0 })) {
    refuse(search, {
      ...told,
      reason: "not-selected",
      detail: "Its evaluation does not fit the budget.",
    });
    return true;
  }
  const [tryout] = await evaluateKnown(search, [{ ...request, exampleIds }]);
  const sums = [one, other].map(({ selection }) => {
    const pairs = scorePairs(selection.scores, tryout?.scores ?? {});
    return { parent: sumOf(pairs.parent), child: sumOf(pairs.child) };
  });
  const childSum = sums[0]?.child ?? 0;
  const needed = Math.max(...sums.map(({ parent }) => parent));
  if (childSum < needed) {
    const detail = `Sum of ${shown(childSum)} on part of val, its better parent's is ${shown(needed)}.`;
    refuse(search, { ...told, reason: "not-better", detail });
    return true;
  }
  const metricCallsBefore = run.spent.metricCalls;
  const [onVal] = await evaluateKnown(search, [{ ...request, exampleIds: space.val }]);
  const {
    value = null,
    scores = {},
    coverage = 0,
    rollouts = [],
  } = onVal ?? ({} as Partial<StepEvaluation>);
  if (onVal?.isAcceptable !== true || value === null) {
    const detail = "Faults left too little of val to judge.";
    refuse(search, { ...told, reason: "low-coverage", detail });
    return true;
  }
  const candidate: CandidateRecord = Object.freeze({
    id: candidates.length,
    components,
    parents: [...parents],
    iteration,
    changed: told.components,
    learntFrom: [],
    selection: { value, scores, coverage, ...objectivesOf(rollouts) },
    metricCallsBefore,
  });
  addCandidate(search, candidate);
  search.lessons.inherit(candidate, { exampleIds: [], components: [] });
  merges.due--;
  merges.accepted++;
  const { id } = candidate;
  run.emit({ kind: "candidate-accepted", iteration, candidate: id, parents: [...parents], value });
  return true;
}

function shown(sum: number): string {
  return String(Number(sum.toFixed(4)));
}
