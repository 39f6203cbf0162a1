import type { Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { SearchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { Child } from "./reflect.ts";
import { rolloutPairs } from "./score-pairs.ts";

/** One child's evaluation on val, group by group. */
export interface Race {
  readonly child: Child;
  /** Rollouts that its groups have taken so far. */
  readonly taken: () => number;
  /** Ids of a group; `undefined` once the race has ended. */
  readonly next: (group: number) => readonly string[] | undefined;
  /** Rollouts that a group takes. */
  readonly costOf: (group: number) => number;
  /** Rollouts that this group and the following ones take. */
  readonly costFrom: (group: number) => number;
  readonly take: (evaluation: StepEvaluation) => void;
  /** Ends the race early because the budget does not cover it. */
  readonly drop: () => void;
  readonly stopped: () => Stopped | null;
  /** Results of everything that was run, in val's order. */
  readonly evaluation: () => StepEvaluation;
}

/** Why a race ended early. */
export interface Stopped {
  readonly reason: "not-better-on-val" | "not-selected";
  /** A sentence. */
  readonly detail: string;
}

export function race(child: Child, place: number, view: SearchView, tools: Tools): Race {
  const { settings, space, evidence, run } = tools;
  const { validation, perfectScore } = settings;
  const before = child.parent.selection.scores;
  const known = evidence.known(child.components, "val");
  // In the order in which the rollouts became known.
  const done = new Map<string, Rollout>();
  const rest: string[] = [];
  for (const id of space.val) {
    const rollout = known(id);
    if (rollout === undefined) rest.push(id);
    else done.set(id, rollout);
  }
  const knownCount = done.size;
  const [first = [], ...others] = validation.order(view, rest, place);
  const isAtOnce = first.length === rest.length;
  const groups = isAtOnce
    ? [space.val]
    : [[...done.keys(), ...first], ...others].filter(({ length }) => length > 0);
  let whole: StepEvaluation | undefined;
  let stopped: Stopped | null = null;
  let groupsTaken = 0;
  const judge = (isMean: boolean): void => {
    if (validation.stop === undefined || perfectScore === null || !isMean) return;
    if (done.size === space.val.length) return;
    const parentLeft = space.val.flatMap((id) => (done.has(id) ? [] : (before[id] ?? [])));
    const pairs = rolloutPairs(before, [...done.values()]);
    const detail = validation.stop(pairs, parentLeft, perfectScore);
    if (detail !== null) stopped = { reason: "not-better-on-val", detail };
  };
  // Known rollouts are checked first: they cost nothing and may end the race.
  if (knownCount > 0 && rest.length > 0 && validation.stop !== undefined) {
    judge(run.summarize("val", []).isMean);
  }
  const costOf = (group: number): number =>
    (groups[group]?.length ?? 0) - (group === 0 ? knownCount : 0);
  return {
    child,
    taken: () => groups.slice(0, groupsTaken).reduce((sum, _, group) => sum + costOf(group), 0),
    next: (group) => (stopped === null ? groups[group] : undefined),
    costOf,
    costFrom: (group) =>
      groups.reduce((sum, _, other) => (other < group ? sum : sum + costOf(other)), 0),
    take: (evaluation) => {
      groupsTaken++;
      if (isAtOnce) {
        whole = evaluation;
        return;
      }
      for (const rollout of evaluation.rollouts) done.set(rollout.exampleId, rollout);
      judge(evaluation.isMean);
    },
    drop: () => {
      stopped = { reason: "not-selected", detail: "Its evaluation does not fit the budget." };
    },
    stopped: () => stopped,
    evaluation: () =>
      whole ??
      run.summarize(
        "val",
        space.val.flatMap((id) => done.get(id) ?? []),
      ),
  };
}
