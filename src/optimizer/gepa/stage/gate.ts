import type { Candidate } from "../../../contract/index.ts";
import { contentHash } from "../../../internal/index.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { gainOf, sumOf } from "../acceptance/minibatch-acceptance.ts";
import { mustPassMinibatch } from "../settings/must-pass-minibatch.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { PassedProposal } from "../strategy/strategy.ts";
import type { Child } from "./reflect.ts";
import { rejectedChild } from "./rejected-child.ts";
import { scorePairs } from "./score-pairs.ts";

/** A child that may be evaluated on val. */
export interface GatedChild extends PassedProposal {
  readonly child: Child;
  /** The child's results on its minibatch; absent if it did not have to pass there. */
  readonly onTrain?: StepEvaluation;
  readonly gate?: { readonly parentSum: number; readonly childSum: number };
}

interface Gated {
  readonly children: readonly GatedChild[];
  readonly decisions: readonly Decision[];
}

/**
 * Tests on their minibatches which children are worth an evaluation on val, and selects among those
 * that pass.
 */
export async function gate(
  children: readonly Child[],
  state: SearchState,
  tools: Tools,
): Promise<Gated> {
  if (children.length === 0) return { children: [], decisions: [] };
  const shown = await passMinibatch(children, state, tools);
  const passed = shown.children;
  const decisions = [...shown.decisions];
  const selected = tools.settings.selection.select(passed);
  const isRepeated = repeats(selected.map((place) => passed[place]?.child.components ?? []));
  const chosen = selected.flatMap((place, order) => {
    const one = passed[place];
    if (one === undefined) return [];
    if (!isRepeated(order)) return [one];
    const detail = "Another proposal of this iteration is the same.";
    decisions.push(...rejectedChild(one.child, "duplicate", detail));
    return [];
  });
  for (const [place, { child }] of passed.entries()) {
    if (selected.includes(place)) continue;
    const detail = "Better than its parent, but others gained more.";
    decisions.push(...rejectedChild(child, "not-selected", detail));
  }
  return { children: chosen, decisions };
}

/** Tells, by index, whether a candidate equals an earlier one. */
function repeats(candidates: readonly Candidate[]): (place: number) => boolean {
  if (candidates.length < 2) return () => false;
  const hashes = candidates.map((components) => contentHash(components));
  return (place) => hashes.indexOf(hashes[place] ?? "") < place;
}

async function passMinibatch(
  children: readonly Child[],
  state: SearchState,
  tools: Tools,
): Promise<Gated> {
  const { settings, evidence } = tools;
  const gated = children.filter(({ components }) =>
    mustPassMinibatch(settings, evidence.missingOnVal(components)),
  );
  const evaluations = await onMinibatches(gated, state, tools);
  const view = searchView(state, tools);
  const decisions: Decision[] = [];
  const passed = children.flatMap((child, place): readonly GatedChild[] => {
    const pair = evaluations.get(child);
    if (pair === undefined) return [{ child, gain: 0 }];
    if (!pair.child.isAcceptable) {
      const detail = "Faults left too little of the minibatch to judge.";
      decisions.push(...rejectedChild(child, "low-coverage", detail));
      return [];
    }
    const pairs = scorePairs(pair.parent.scores, pair.child.scores);
    const verdict = settings.minibatchAcceptance.judge(pairs, () =>
      view.random("acceptance", place),
    );
    if (!verdict.accepts) {
      decisions.push(...rejectedChild(child, "not-better", verdict.reason));
      return [];
    }
    const sums = { parentSum: sumOf(pairs.parent), childSum: sumOf(pairs.child) };
    return [{ child, gain: gainOf(pairs), onTrain: pair.child, gate: sums }];
  });
  return { children: passed, decisions };
}

/** Runs parents that were not run for this proposal, and all children. */
async function onMinibatches(
  children: readonly Child[],
  { iteration }: SearchState,
  tools: Tools,
): Promise<
  ReadonlyMap<Child, { readonly parent: StepEvaluation; readonly child: StepEvaluation }>
> {
  if (children.length === 0) return new Map();
  const parents: StepEvaluation[] = [];
  // Sequentially, so a run shared by children of one parent is made once.
  for (const child of children) parents.push(await onParent(child, iteration, tools));
  const evaluations = await tools.evidence.evaluate(
    iteration,
    children.map(({ components, exampleIds }) => ({
      candidate: "proposed",
      components,
      split: "train",
      exampleIds,
    })),
  );
  return new Map(
    children.map((child, place) => [
      child,
      {
        parent: parents[place] as StepEvaluation,
        child: evaluations[place] as StepEvaluation,
      },
    ]),
  );
}

async function onParent(
  { parent, exampleIds, rollouts, isOwn }: Child,
  iteration: number,
  { run, evidence }: Tools,
): Promise<StepEvaluation> {
  if (isOwn) return run.summarize("train", rollouts);
  const { id: candidate, components } = parent;
  const [evaluation] = await evidence.evaluate(iteration, [
    { candidate, components, split: "train", exampleIds },
  ]);
  return evaluation as StepEvaluation;
}
