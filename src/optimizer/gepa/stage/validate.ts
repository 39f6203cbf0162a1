import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import type { EvaluationRequest } from "../evidence/evaluate-with-reuse.ts";
import type { Decision } from "../state/decision.ts";
import { knownSelection } from "../state/on-val.ts";
import type { SearchState } from "../state/search-state.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { GatedChild } from "./gate.ts";
import type { Group, Race, Stopped } from "./race.ts";
import { race } from "./race.ts";

/** A child that was run on val, or on part of it. */
export interface ValidatedChild {
  readonly gated: GatedChild;
  /** Why its evaluation ended early; `null` if it was completed. */
  readonly stopped: Stopped | null;
  readonly onVal: () => StepEvaluation;
  /** Of the rollouts that it missed on val, the share that was run. */
  readonly shareOfVal: number;
  /** Metric calls spent before it, as if children were evaluated one after the other. */
  readonly metricCallsBefore: number;
}

export interface Validated {
  readonly children: readonly ValidatedChild[];
  /** Parents that had to be run with them. */
  readonly decisions: readonly Decision[];
}

/** Evaluates children on val, side by side, and their parents where these were not run before. */
export async function validate(
  gated: readonly GatedChild[],
  state: SearchState,
  tools: Tools,
): Promise<Validated> {
  const { run, evidence } = tools;
  const view = searchView(state, tools);
  const spentBefore = run.spent.metricCalls;
  await measureKnownAgain(gated, state, tools);
  const races = gated.map(({ child }, index) => race(child, index, { view, state, tools }));
  const parents = new Set<CandidateRecord>();
  for (;;) {
    const running = whatFits(
      races.filter(({ next }) => next() !== undefined),
      tools,
    );
    if (running.length === 0) break;
    const groups = running.map(({ next }) => next() as Group);
    const ofParents = requestsForParents(running, groups);
    const evaluations = await evidence.evaluate(state.iteration, [
      ...running.map(({ child: { components } }, index) => ({
        candidate: "proposed" as const,
        components,
        split: "val" as const,
        exampleIds: groups[index]?.exampleIds ?? [],
      })),
      ...ofParents.map(({ request }) => request),
    ]);
    for (const [index, one] of running.entries()) {
      const at = ofParents.findIndex(({ parent }) => parent === one.child.parent);
      const ofParent = at === -1 ? undefined : evaluations[running.length + at];
      one.take(evaluations[index] as StepEvaluation, ofParent);
    }
    for (const { parent } of ofParents) parents.add(parent);
  }
  // One child may have reused the other's runs.
  const spentAfter = run.spent.metricCalls;
  let metricCallsBefore = spentBefore;
  const children = gated.map((one, index) => {
    const { stopped, evaluation, taken, share } = races[index] as Race;
    const before = metricCallsBefore;
    metricCallsBefore = Math.min(before + taken() * run.repetitions, spentAfter);
    return {
      gated: one,
      stopped: stopped(),
      onVal: evaluation,
      shareOfVal: share(),
      metricCallsBefore: before,
    };
  });
  const decisions = [...parents].flatMap((candidate): readonly Decision[] => {
    const selection = knownSelection(candidate, state, tools);
    return selection === null ? [] : [{ kind: "confirmed", candidate, selection }];
  });
  return { children, decisions };
}

/** One request per parent, for what its children's groups need of it. */
function requestsForParents(
  races: readonly Race[],
  groups: readonly Group[],
): readonly { readonly parent: CandidateRecord; readonly request: EvaluationRequest }[] {
  const byParent = new Map<CandidateRecord, Set<string>>();
  for (const [index, { child }] of races.entries()) {
    const { forParent = [] } = groups[index] ?? {};
    if (forParent.length === 0) continue;
    const ids = byParent.get(child.parent) ?? new Set();
    byParent.set(child.parent, new Set([...ids, ...forParent]));
  }
  return [...byParent].map(([parent, ids]) => {
    const { id: candidate, components } = parent;
    return {
      parent,
      request: { candidate, components, split: "val", exampleIds: [...ids] },
    };
  });
}

/** Drops the last races until the budget has room for the next groups of the others. */
function whatFits(races: readonly Race[], { run }: Tools): readonly Race[] {
  const running = [...races];
  const rollouts = (): number => {
    const [first, ...others] = running;
    return others.reduce((sum, { cost }) => sum + cost(), first?.needed() ?? 0);
  };
  while (running.length > 0 && !run.fits({ rollouts: rollouts(), reflectionCalls: 0 })) {
    running.pop()?.drop();
  }
  return running;
}

/**
 * Where scores vary, a child whose scores are all known may have been unlucky: it is run again
 * where it has not reused its parent's scores.
 */
async function measureKnownAgain(
  gated: readonly GatedChild[],
  { iteration, panel: { exampleIds } }: SearchState,
  { evidence, run }: Tools,
): Promise<void> {
  if (!evidence.scoresVary) return;
  for (const { child } of gated) {
    const { components } = child;
    if (evidence.missingOnVal(components, exampleIds) > 0) continue;
    const known = evidence.known(components, "val");
    const countOf = (id: string): number => {
      const rollout = known(id);
      return rollout === undefined ? 0 : evidence.runCount(rollout);
    };
    const ofParent = evidence.known(child.parent.components, "val");
    const rarelyRun = exampleIds
      .filter((id) => known(id) !== ofParent(id))
      .toSorted((one, other) => countOf(one) - countOf(other))
      .slice(0, measuredAtOnce);
    if (!run.fits({ rollouts: rarelyRun.length, reflectionCalls: 0 })) return;
    const candidate = { id: "proposed" as const, components };
    await evidence.measureAgain(iteration, [{ candidate, exampleIds: rarelyRun }]);
  }
}

const measuredAtOnce = 16;
