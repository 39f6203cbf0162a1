import { mean, sum } from "../../../statistics/index.ts";
import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import { gainOf, rounding } from "../strategy/acceptance.ts";
import { canDecideEarly } from "../state/on-val.ts";
import type { SearchState } from "../state/search-state.ts";
import type { SearchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { ScorePairs } from "../strategy/strategy.ts";
import type { Child } from "./reflect.ts";
import { panelPairs } from "../strategy/score-pairs.ts";

/** One child's evaluation on val, group by group. */
export interface Race {
  readonly child: Child;
  /** Rollouts that its groups have taken so far. */
  readonly taken: () => number;
  /** The next examples to run; `undefined` once the race has ended. */
  readonly next: () => Group | undefined;
  /** Rollouts that the next group takes. */
  readonly cost: () => number;
  /** Rollouts that must fit for the next group to be worth running. */
  readonly needed: () => number;
  readonly take: (evaluation: StepEvaluation, ofParent?: StepEvaluation) => void;
  /** Ends the race early because the budget does not cover it. */
  readonly drop: () => void;
  readonly stopped: () => Stopped | null;
  /** Of the rollouts that it missed at first, the share that was run. */
  readonly share: () => number;
  /** Results of everything that was run, in val's order. */
  readonly evaluation: () => StepEvaluation;
}

export interface Group {
  /** For the child, known ones included. */
  readonly exampleIds: readonly string[];
  /** Of these, those on which its parent has not been run either. */
  readonly forParent: readonly string[];
}

/** Why a race ended early. */
export interface Stopped {
  readonly reason: "not-better-on-val" | "not-selected";
  /** A sentence. */
  readonly detail: string;
}

export function race(
  child: Child,
  position: number,
  {
    view,
    state,
    tools,
  }: { readonly view: SearchView; readonly state: SearchState; readonly tools: Tools },
): Race {
  const { settings, space, evidence, run } = tools;
  const { validation, perfectScore } = settings;
  const accept = canDecideEarly(settings, evidence, child) ? validation.accept : undefined;
  const { panel } = state;
  const before = new Map(Object.entries(child.parent.selection.scores));
  const known = evidence.known(child.components, "val");
  // In the order in which the rollouts became known.
  const done = new Map<string, Rollout>();
  const rest: string[] = [];
  for (const id of panel.exampleIds) {
    const rollout = known(id);
    if (rollout === undefined) rest.push(id);
    else done.set(id, rollout);
  }
  const knownCount = done.size;
  const drawnFrom = new Map<string, number>();
  const groups = groupsOf([...done.keys()], rest);
  let [index, taken] = [0, 0];
  let whole: StepEvaluation | undefined;
  let stopped: Stopped | null = null;
  let isDecided = false;

  /** Examples on which the parent has scores come first: they need no run of the parent. */
  function groupsOf(free: readonly string[], missing: readonly string[]): readonly Group[] {
    const seen = missing.filter((id) => before.has(id));
    const unseen = missing.filter((id) => !before.has(id));
    const drawn = (ids: readonly string[]): readonly (readonly string[])[] => {
      const inGroups = validation.order(view, ids, position);
      for (const [at, id] of inGroups.flat().entries()) drawnFrom.set(id, ids.length - at);
      return inGroups;
    };
    const [first = [], ...others] = drawn(seen);
    if (unseen.length === 0 && first.length === seen.length) {
      return [{ exampleIds: panel.exampleIds, forParent: [] }];
    }
    return [
      { exampleIds: [...free, ...first], forParent: [] },
      ...others.map((exampleIds) => ({ exampleIds, forParent: [] })),
      ...(unseen.length === 0 ? [] : drawn(unseen)).map((exampleIds) => ({
        exampleIds,
        forParent: exampleIds,
      })),
    ].filter(({ exampleIds }) => exampleIds.length > 0);
  }
  const isAtOnce = groups.length === 1;
  const costOf = (at: number): number => {
    const { exampleIds = [], forParent = [] } = groups[at] ?? {};
    return exampleIds.length + forParent.length - (at === 0 ? knownCount : 0);
  };
  const costFrom = (first: number): number =>
    groups.reduce((sum, _, at) => (at < first ? sum : sum + costOf(at)), 0);
  const pairs = (): ScorePairs => panelPairs(before, [...done.values()], panel, drawnFrom);
  /**
   * In units of the mean weight of the examples that are done. Where the parent needs runs for the
   * last examples, those count only for a child that is ahead on all before them.
   */
  const maxGain = (perfect: number): number => {
    const stands = (id: string): number => panel.weights?.get(id) ?? 1;
    const unit = mean([...done.keys()].map(stands));
    const left = panel.exampleIds.filter((id) => !done.has(id) && before.get(id) !== null);
    const first = accept === undefined ? [] : left.filter((id) => before.has(id));
    const counted = first.length === 0 ? left : first;
    return sum(counted.map((id) => (stands(id) / unit) * (perfect - (before.get(id) ?? 0))));
  };
  const judge = (isMean: boolean): void => {
    if (perfectScore === null || !isMean || done.size === panel.exampleIds.length) return;
    const scores = pairs();
    const detail = validation.stop?.(scores, maxGain(perfectScore), perfectScore) ?? null;
    if (detail !== null) stopped = { reason: "not-better-on-val", detail };
    else if (accept !== undefined && done.size > knownCount) {
      isDecided = accept(scores, perfectScore) || isLevelWhereParentRan(scores);
    }
  };
  /** Whether the next group takes runs of the parent, which its child does not beat so far. */
  const isLevelWhereParentRan = (scores: ScorePairs): boolean =>
    (groups[index]?.forParent.length ?? 0) > 0 && gainOf(scores) <= rounding;

  // Known rollouts are checked first: they cost nothing and may end the race.
  if (knownCount > 0 && rest.length > 0 && validation.stop !== undefined) {
    judge(run.summarize("val", []).isMean);
  }
  return {
    child,
    taken: () => taken,
    next: () => (stopped === null && !isDecided ? groups[index] : undefined),
    cost: () => costOf(index),
    needed: () => (accept === undefined ? costFrom(index) : costOf(index)),
    take: (evaluation, ofParent) => {
      taken += costOf(index);
      index++;
      for (const [id, score] of Object.entries(ofParent?.scores ?? {})) before.set(id, score);
      if (isAtOnce) {
        whole = evaluation;
        return;
      }
      for (const rollout of evaluation.rollouts) done.set(rollout.exampleId, rollout);
      judge(evaluation.isMean);
    },
    drop: () => {
      if (done.size > knownCount) isDecided = true;
      else stopped = { reason: "not-selected", detail: "Its evaluation does not fit the budget." };
    },
    stopped: () => stopped,
    share: () => taken / Math.max(1, costFrom(0)),
    evaluation: () =>
      whole ??
      run.summarize(
        "val",
        space.val.flatMap((id) => done.get(id) ?? []),
      ),
  };
}
