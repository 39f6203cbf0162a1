import type { Component } from "../../contract/index.ts";
import type { CandidateRecord, Refusal } from "../candidate/candidate-record.ts";
import { componentId } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { MetDispute } from "../contract/optimizer-event.ts";
import { componentText } from "../candidate/component-text.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { GepaSettings } from "./gepa-settings.ts";
import type { DisputeJudge } from "./memory/dispute-judge.ts";
import { disputeJudge } from "./memory/dispute-judge.ts";
import type { Lessons } from "./lesson/lessons.ts";
import { lessons } from "./lesson/lessons.ts";
import type { RolloutMemory } from "./memory/rollout-memory.ts";
import { rolloutMemory } from "./memory/rollout-memory.ts";
import type { MergeHistory } from "./merge/merge-proposal.ts";
import { noMerges } from "./merge/merge-proposal.ts";
import type { Frontier } from "./strategy/frontier.ts";
import { frontier } from "./strategy/frontier.ts";
import { plainText } from "./text/plain-text.ts";
import type { SearchView } from "./strategy/strategy.ts";
import type { TextComponent } from "./strategy/text-component.ts";
import { textComponents } from "./strategy/text-component.ts";

/** Where a search stands. Lists only grow; what is in them does not change but by `replaceCandidate`. */
export interface Search {
  readonly space: SearchSpace;
  readonly run: OptimizerRun;
  readonly settings: GepaSettings;
  /** Ids of the components that may change, in the space's order. */
  readonly changeable: readonly string[];
  readonly candidates: CandidateRecord[];
  best: CandidateRecord | undefined;
  frontier: Frontier;
  readonly refusals: Refusal[];
  /** Where re-runs disagreed with scores that were inherited. */
  readonly disputes: MetDispute[];
  /** By candidate id. */
  readonly pointers: number[];
  /** Texts that a component had in a candidate that rollouts were spent on, by component. */
  readonly tried: Map<string, Set<string>>;
  readonly memory: RolloutMemory;
  readonly disputeJudge: DisputeJudge;
  /** Whether candidates hold scores that they should not have inherited. */
  isBestInDoubt: boolean;
  readonly lessons: Lessons;
  merges: MergeHistory;
  /** Predictors that some rollout ran. */
  readonly invoked: Set<string>;
  /** Iterations begun. */
  iteration: number;
  /** Iterations since the last new candidate that brought no new text to try. */
  idle: number;
  /** Failures of whoever writes in a row: of `all` texts, and of a component's by its id. */
  readonly failures: Map<string, number>;
  /** What strategies see of it: always as it stands. */
  readonly view: SearchView;
}

export function startSearch(space: SearchSpace, run: OptimizerRun, settings: GepaSettings): Search {
  const search: Omit<Search, "view"> = {
    space,
    run,
    settings,
    changeable: textComponents(space, settings.components).map(componentId),
    candidates: [],
    best: undefined,
    frontier: frontier(settings.frontier),
    refusals: [],
    disputes: [],
    pointers: [],
    tried: new Map(),
    memory: rolloutMemory({
      inheritance: settings.inheritance,
      sharesSplits: space.train === space.val,
      randomOfAudit: (number) => run.random("gepa/audit", number),
    }),
    disputeJudge: disputeJudge(),
    isBestInDoubt: false,
    lessons: lessons(),
    merges: noMerges,
    invoked: new Set(),
    iteration: 0,
    idle: 0,
    failures: new Map(),
  };
  return Object.assign(search, { view: viewOf(search) });
}

/**
 * Adds a candidate; its children go on with the component after its own. One that supersedes its parent
 * is best where the parent was.
 */
export function addCandidate(
  search: Search,
  candidate: CandidateRecord,
  supersedes: boolean = false,
): void {
  const { candidates, pointers, frontier, best } = search;
  frontier.add(candidate);
  candidates.push(candidate);
  pointers.push(Math.max(0, ...candidate.parents.map((parent) => pointers[parent] ?? 0)));
  const before = candidates[candidate.parents[0] ?? -1]?.components ?? [];
  for (const [place, component] of candidate.components.entries()) {
    if (component !== before[place]) noteTried(search, component);
  }
  const replaces = supersedes && best !== undefined && candidate.parents.includes(best.id);
  if (best === undefined || replaces || isBetter(candidate, best)) search.best = candidate;
}

/** Puts a candidate with other scores in the place of the one with its id. */
export function replaceCandidate(search: Search, candidate: CandidateRecord): void {
  const { candidates, settings } = search;
  candidates[candidate.id] = candidate;
  search.frontier = frontier(settings.frontier);
  for (const one of candidates) search.frontier.add(one);
  search.best = highest(candidates);
}

/** The first of the best ones. */
export function highest(candidates: readonly CandidateRecord[]): CandidateRecord | undefined {
  let best: CandidateRecord | undefined;
  for (const one of candidates) if (best === undefined || isBetter(one, best)) best = one;
  return best;
}

/** Notes that rollouts were, or will be, spent on a text, in whatever white space. */
export function noteTried({ tried }: Search, component: Component): void {
  const id = componentId(component);
  tried.set(id, (tried.get(id) ?? new Set()).add(plainText(componentText(component))));
}

function viewOf(search: Omit<Search, "view">): SearchView {
  const { space, run, settings, memory, changeable } = search;
  // A candidate has the space's components in their order.
  const places = [...space.components.keys()].filter((place) =>
    changeable.includes(componentId(space.components[place] as Component)),
  );
  return {
    get iteration() {
      return search.iteration;
    },
    candidates: search.candidates,
    get best() {
      return search.best as CandidateRecord;
    },
    get frontier() {
      return search.frontier;
    },
    train: space.train,
    val: space.val,
    lessons: search.lessons,
    get spent() {
      return run.spent;
    },
    perfectScore: settings.perfectScore,
    pointerOf: (candidate) => search.pointers[candidate] ?? 0,
    componentsOf: ({ components }) => places.map((place) => components[place] as TextComponent),
    fits: (metricCalls, reflections) => run.fits({ metricCalls, reflections }),
    missingOnVal: (candidate) => {
      const known = memory.known(candidate, "val");
      return space.val.filter((id) => known(id) === undefined).length;
    },
    mostMissingOnVal: (_, changed) =>
      memory.inheritance.startsWith("trace")
        ? memory.mayRun("val", new Set(changed.map(predictorOf)), space.val.length)
        : space.val.length,
    random: (purpose, place = 0) => run.random(`gepa/${purpose}/${place}`, search.iteration),
    randomOfRun: (purpose, number) => run.random(`gepa/${purpose}`, number),
  };
}

function isBetter(one: CandidateRecord, other: CandidateRecord): boolean {
  const gain = one.selection.value - other.selection.value;
  return gain > 0 || (gain === 0 && scoredIn(one) > scoredIn(other));
}

function scoredIn({ selection }: CandidateRecord): number {
  return Object.values(selection.scores).filter((score) => score !== null).length;
}
