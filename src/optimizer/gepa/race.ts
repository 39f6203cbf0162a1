import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import type { Child } from "./make-children.ts";
import { scorePairs } from "./score-pairs.ts";
import type { Search } from "./search.ts";
import { viewOf } from "./search.ts";

/** One child's evaluation on val, group by group. */
export interface Race {
  readonly child: Child;
  /** Rollouts that are not known before the race. */
  readonly missing: number;
  /** Ids of a group; `undefined` once the race has ended. */
  readonly next: (group: number) => readonly string[] | undefined;
  /** Rollouts that a group takes. */
  readonly costOf: (group: number) => number;
  /** Rollouts that it and those after it take. */
  readonly costFrom: (group: number) => number;
  readonly take: (evaluation: StepEvaluation) => void;
  /** Ends the race because the budget ends before it. */
  readonly drop: () => void;
  readonly stopped: () => Stopped | null;
  readonly rollouts: () => readonly Rollout[];
}

/** Why a race ended early. */
export interface Stopped {
  readonly reason: "not-better-on-val" | "not-selected";
  /** In a sentence. */
  readonly detail: string;
}

export function race(search: Search, child: Child, place: number): Race {
  const { settings, space, memory, run } = search;
  const { validation, perfectScore } = settings;
  const known: Rollout[] = [];
  const rest: string[] = [];
  for (const id of space.val) {
    const rollout = memory.known(child.components, "val", id);
    if (rollout === undefined) rest.push(id);
    else known.push(rollout);
  }
  const [first = [], ...others] = validation.order(viewOf(search), rest, place);
  const knownIds = known.map(({ exampleId }) => exampleId);
  const groups = [[...knownIds, ...first], ...others].filter(({ length }) => length > 0);
  const done = new Map<string, Rollout>();
  let stopped: Stopped | null = null;
  const judge = (rollouts: readonly Rollout[], isMean: boolean): void => {
    if (validation.stop === undefined || perfectScore === null || !isMean) return;
    if (rollouts.length === space.val.length) return;
    const before = child.parent.selection.scores;
    const scores = scoresOf(rollouts);
    const parentLeft = space.val.flatMap((id) =>
      Object.hasOwn(scores, id) ? [] : (before[id] ?? []),
    );
    const detail = validation.stop(scorePairs(before, scores), parentLeft, perfectScore);
    if (detail !== null) stopped = { reason: "not-better-on-val", detail };
  };
  // What is known is looked at first: it costs nothing, and may end the race.
  if (known.length > 0 && rest.length > 0 && validation.stop !== undefined) {
    judge(known, run.summarize("val", known).isMean);
  }
  const costOf = (group: number): number =>
    (groups[group]?.length ?? 0) - (group === 0 ? known.length : 0);
  return {
    child,
    missing: rest.length,
    next: (group) => (stopped === null ? groups[group] : undefined),
    costOf,
    costFrom: (group) =>
      groups.reduce((sum, _, other) => (other < group ? sum : sum + costOf(other)), 0),
    take: ({ rollouts, isMean }) => {
      for (const rollout of rollouts) done.set(rollout.exampleId, rollout);
      judge([...done.values()], isMean);
    },
    drop: () => {
      stopped = { reason: "not-selected", detail: "Its evaluation does not fit the budget." };
    },
    stopped: () => stopped,
    rollouts: () => space.val.flatMap((id) => done.get(id) ?? []),
  };
}

function scoresOf(rollouts: readonly Rollout[]): Record<string, number | null> {
  return Object.fromEntries(
    rollouts.map(({ exampleId, score }) => [
      exampleId,
      score.kind === "scored" ? score.value : null,
    ]),
  );
}
