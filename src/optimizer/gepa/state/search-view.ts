import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";
import type { MergeView } from "../strategy/merge-proposal.ts";
import type { ProposalView } from "../strategy/views.ts";

/** Everything strategies can see; each kind of strategy sees the part that its type names. */
export type SearchView = ProposalView & MergeView;

/** A state as strategies see it. Lessons and the remaining budget are always current. */
export function searchView(state: SearchState, tools: Tools): SearchView {
  const { iteration, candidates, best, frontier, pointers } = state;
  const { space, run, settings, componentsOf, evidence } = tools;
  return {
    iteration,
    candidates,
    best: best as CandidateRecord,
    frontier,
    train: space.train,
    val: space.val,
    lessons: evidence.lessons,
    perfectScore: settings.perfectScore,
    pointerOf: (candidate) => pointers[candidate] ?? 0,
    componentsOf,
    fits: (need) => run.fits(need),
    rolloutsLeft: (reflectionCalls) => run.rolloutsLeft(reflectionCalls),
    neededOnVal: (changed) => evidence.maxMissingOn(space.val, changed),
    random: (purpose, index = 0) => run.random(`gepa/${purpose}/${index}`, iteration),
    randomOfRun: (purpose, number) => run.random(`gepa/${purpose}`, number),
  };
}
