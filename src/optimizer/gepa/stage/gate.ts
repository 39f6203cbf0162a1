import type { Candidate } from "../../../contract/index.ts";
import { contentHash } from "../../../internal/index.ts";
import { sum } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { gainOf } from "../strategy/acceptance.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import { isGated } from "../settings/gepa-settings.ts";
import type { Search } from "../state/search.ts";
import type { PassedProposal } from "../strategy/strategy.ts";
import type { EvaluationRequest } from "../evidence/evaluate-with-reuse.ts";
import type { Child } from "./reflect.ts";
import { rejectChild } from "./reflect.ts";
import { scorePairs } from "../strategy/score-pairs.ts";

/** A child that may be evaluated on val. */
export interface GatedChild extends PassedProposal {
  readonly child: Child;
  /** The child's results on its minibatch; absent if it did not have to pass there. */
  readonly onTrain?: StepEvaluation;
  readonly gate?: NonNullable<CandidateRecord["gate"]>;
}

/**
 * Tests on their minibatches which children are worth an evaluation on val, and selects among those
 * that pass.
 */
export async function gate(
  children: readonly Child[],
  search: Search,
): Promise<readonly GatedChild[]> {
  if (children.length === 0) return [];
  const passed = await passMinibatch(children, search);
  const selected = search.settings.acceptance.selection.select(passed);
  const isRepeated = repeats(selected.map((index) => passed[index]?.child.components ?? []));
  const chosen = selected.flatMap((index, order) => {
    const one = passed[index];
    if (one === undefined) return [];
    if (!isRepeated(order)) return [one];
    const detail = "Another proposal of this iteration is the same.";
    rejectChild(search, one.child, "duplicate", detail);
    return [];
  });
  for (const [index, { child }] of passed.entries()) {
    if (selected.includes(index)) continue;
    const detail = "Better than its parent, but others gained more.";
    rejectChild(search, child, "not-selected", detail);
  }
  return chosen;
}

/** Tells, by index, whether a candidate equals an earlier one. */
function repeats(candidates: readonly Candidate[]): (index: number) => boolean {
  if (candidates.length < 2) return () => false;
  const hashes = candidates.map((components) => contentHash(components));
  return (index) => hashes.indexOf(hashes[index] ?? "") < index;
}

async function passMinibatch(
  children: readonly Child[],
  search: Search,
): Promise<readonly GatedChild[]> {
  const { settings, run } = search;
  const gated = children.filter((child) => {
    const onVal = search.missingOnVal(child.components);
    // Without room for both, val alone says more.
    const rollouts = onVal + missingOnMinibatch(child, search);
    return isGated(settings, onVal) && run.fits({ rollouts, reflectionCalls: 0 });
  });
  const evaluations = await onMinibatches(gated, search);
  return children.flatMap((child): readonly GatedChild[] => {
    const pair = evaluations.get(child);
    if (pair === undefined) return [{ child, gain: 0 }];
    if (!pair.child.isAcceptable) {
      const detail = "Faults left too little of the minibatch to judge.";
      rejectChild(search, child, "low-coverage", detail);
      return [];
    }
    const pairs = scorePairs(pair.parent.scores, pair.child.scores);
    const verdict = settings.acceptance.minibatch.judge(pairs);
    if (!verdict.accepts) {
      rejectChild(search, child, "not-better", verdict.reason);
      return [];
    }
    const gate = {
      exampleIds: [...minibatchOf(child, settings)],
      parentSum: sum(pairs.parent),
      childSum: sum(pairs.child),
    };
    return [{ child, gain: gainOf(pairs), onTrain: pair.child, gate }];
  });
}

/** Runs parents that were not run for their children, and all children. */
async function onMinibatches(
  children: readonly Child[],
  search: Search,
): Promise<
  ReadonlyMap<Child, { readonly parent: StepEvaluation; readonly child: StepEvaluation }>
> {
  if (children.length === 0) return new Map();
  const { run, settings } = search;
  const onOwn = children.map((child): EvaluationRequest => ({
    candidate: "proposed",
    components: child.components,
    split: "train",
    exampleIds: minibatchOf(child, settings),
  }));
  const parents = requestsForParents(children, settings);
  // One after the other: a child whose trace is its parent's inherits the scores.
  const ofParents = parents.length === 0 ? [] : await search.evaluate(parents);
  const ofChildren = await search.evaluate(onOwn);
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
  { search: { minibatchSize } }: GepaSettings,
): readonly string[] {
  return isOwn ? exampleIds : exampleIds.slice(0, minibatchSize);
}

/** Rollouts of child and parent on the minibatch that are not known. */
function missingOnMinibatch(child: Child, { evidence, settings }: Search): number {
  const ids = minibatchOf(child, settings);
  const candidates = child.isOwn ? [child] : [child, child.parent];
  return sum(candidates.map(({ components }) => evidence.missingOn("train", ids, components)));
}
