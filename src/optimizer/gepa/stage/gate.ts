import type { Candidate } from "../../../contract/index.ts";
import { contentHash } from "../../../internal/index.ts";
import { sum } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { gainOf } from "../strategy/acceptance.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import { isGated } from "../settings/gepa-settings.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { PassedProposal } from "../strategy/strategy.ts";
import type { EvaluationRequest } from "../evidence/evaluate-with-reuse.ts";
import type { Child } from "./reflect.ts";
import { rejectedChild } from "./rejected-child.ts";
import { scorePairs } from "../strategy/score-pairs.ts";

/** A child that may be evaluated on val. */
export interface GatedChild extends PassedProposal {
  readonly child: Child;
  /** The child's results on its minibatch; absent if it did not have to pass there. */
  readonly onTrain?: StepEvaluation;
  readonly gate?: NonNullable<CandidateRecord["gate"]>;
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
  const isRepeated = repeats(selected.map((index) => passed[index]?.child.components ?? []));
  const chosen = selected.flatMap((index, order) => {
    const one = passed[index];
    if (one === undefined) return [];
    if (!isRepeated(order)) return [one];
    const detail = "Another proposal of this iteration is the same.";
    decisions.push(...rejectedChild(one.child, "duplicate", detail));
    return [];
  });
  for (const [index, { child }] of passed.entries()) {
    if (selected.includes(index)) continue;
    const detail = "Better than its parent, but others gained more.";
    decisions.push(...rejectedChild(child, "not-selected", detail));
  }
  return { children: chosen, decisions };
}

/** Tells, by index, whether a candidate equals an earlier one. */
function repeats(candidates: readonly Candidate[]): (index: number) => boolean {
  if (candidates.length < 2) return () => false;
  const hashes = candidates.map((components) => contentHash(components));
  return (index) => hashes.indexOf(hashes[index] ?? "") < index;
}

async function passMinibatch(
  children: readonly Child[],
  state: SearchState,
  tools: Tools,
): Promise<Gated> {
  const { settings, space, evidence, run } = tools;
  const gated = children.filter((child) => {
    const onVal = evidence.missingOn(space.val, child.components);
    // Without room for both, val alone says more.
    const rollouts = onVal + missingOnMinibatch(child, tools);
    return isGated(settings, onVal) && run.fits({ rollouts, reflectionCalls: 0 });
  });
  const evaluations = await onMinibatches(gated, state, tools);
  const decisions: Decision[] = [];
  const passed = children.flatMap((child, index): readonly GatedChild[] => {
    const pair = evaluations.get(child);
    if (pair === undefined) return [{ child, gain: 0 }];
    if (!pair.child.isAcceptable) {
      const detail = "Faults left too little of the minibatch to judge.";
      decisions.push(...rejectedChild(child, "low-coverage", detail));
      return [];
    }
    const pairs = scorePairs(pair.parent.scores, pair.child.scores);
    const verdict = settings.minibatchAcceptance.judge(pairs, () =>
      searchView(state, tools).random("acceptance", index),
    );
    if (!verdict.accepts) {
      decisions.push(...rejectedChild(child, "not-better", verdict.reason));
      return [];
    }
    const gate = {
      exampleIds: [...minibatchOf(child, settings)],
      parentSum: sum(pairs.parent),
      childSum: sum(pairs.child),
    };
    return [{ child, gain: gainOf(pairs), onTrain: pair.child, gate }];
  });
  return { children: passed, decisions };
}

/** Runs parents that were not run for their children, and all children. */
async function onMinibatches(
  children: readonly Child[],
  { iteration }: SearchState,
  tools: Tools,
): Promise<
  ReadonlyMap<Child, { readonly parent: StepEvaluation; readonly child: StepEvaluation }>
> {
  if (children.length === 0) return new Map();
  const { run, settings } = tools;
  const evaluate = async (
    requests: readonly EvaluationRequest[],
  ): Promise<readonly StepEvaluation[]> =>
    requests.length === 0 ? [] : tools.evidence.evaluate(iteration, requests);
  const onOwn = children.map((child): EvaluationRequest => ({
    candidate: "proposed",
    components: child.components,
    split: "train",
    exampleIds: minibatchOf(child, settings),
  }));
  const parents = requestsForParents(children, settings);
  // One after the other: a child whose trace is its parent's inherits the scores.
  const ofParents = await evaluate(parents);
  const ofChildren = await evaluate(onOwn);
  const made = new Map(
    parents.map(({ candidate }, index) => [candidate, ofParents[index]?.rollouts ?? []]),
  );
  return new Map(
    children.map((child, index) => {
      const ids = minibatchOf(child, settings);
      const all = child.isOwn ? child.rollouts : (made.get(child.parent.id) ?? []);
      const rollouts = child.isOwn
        ? all
        : ids.flatMap((id) => all.find(({ exampleId }) => exampleId === id) ?? []);
      const parent = run.summarize("train", rollouts);
      return [child, { parent, child: ofChildren[index] as StepEvaluation }];
    }),
  );
}

/** One request for each parent that was not run for its children. */
function requestsForParents(
  children: readonly Child[],
  settings: GepaSettings,
): readonly EvaluationRequest[] {
  const foreign = children.filter(({ isOwn }) => !isOwn);
  return [...Map.groupBy(foreign, ({ parent }) => parent)].map(
    ([{ id: candidate, components }, group]) => ({
      candidate,
      components,
      split: "train",
      exampleIds: [...new Set(group.flatMap((child) => minibatchOf(child, settings)))],
    }),
  );
}

/**
 * The examples on which a child must do better: all that its parent was run on for it, or the first
 * of the lessons that it was written from.
 */
function minibatchOf(
  { exampleIds, isOwn }: Child,
  { minibatchSize }: GepaSettings,
): readonly string[] {
  return isOwn ? exampleIds : exampleIds.slice(0, minibatchSize);
}

/** Rollouts of child and parent on the minibatch that are not known. */
function missingOnMinibatch(child: Child, { evidence, settings }: Tools): number {
  const ids = minibatchOf(child, settings);
  const candidates = child.isOwn ? [child] : [child, child.parent];
  return candidates.reduce((sum, { components }) => {
    const known = evidence.known(components, "train");
    return sum + ids.filter((id) => known(id) === undefined).length;
  }, 0);
}
