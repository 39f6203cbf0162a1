import type { Candidate } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import { gainOf, sumOf } from "./acceptance/minibatch-acceptance.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import type { Child } from "./make-children.ts";
import type { PassedChild } from "./passed-child.ts";
import { refuseChild } from "./refuse-child.ts";
import { scorePairs } from "./score-pairs.ts";
import type { Search } from "./search.ts";
import { validateChildren } from "./validate-children.ts";

/** Lets children show on their minibatches that they are worth more, and passes on those that are. */
export async function judgeChildren(search: Search, children: readonly Child[]): Promise<void> {
  const { settings } = search;
  const passed = await passMinibatch(search, children);
  const selected = settings.selection.select(passed);
  const isRepeated = repeats(selected.map((place) => passed[place]?.child.components ?? []));
  const chosen = selected.flatMap((place, order) => {
    const one = passed[place];
    if (one === undefined) return [];
    if (!isRepeated(order)) return [one];
    refuseChild(search, one.child, "duplicate", "Another proposal of this iteration is the same.");
    return [];
  });
  for (const [place, { child }] of passed.entries()) {
    if (selected.includes(place)) continue;
    refuseChild(search, child, "not-selected", "Better than its parent, but others gained more.");
  }
  if (chosen.length > 0) await validateChildren(search, chosen);
}

/** Which candidates, by place, are what an earlier one is. */
function repeats(candidates: readonly Candidate[]): (place: number) => boolean {
  if (candidates.length < 2) return () => false;
  const hashes = candidates.map((components) => contentHash(components));
  return (place) => hashes.indexOf(hashes[place] ?? "") < place;
}

async function passMinibatch(
  search: Search,
  children: readonly Child[],
): Promise<readonly PassedChild[]> {
  const gated = new Set(children.filter((child) => mustShow(search, child)));
  const evaluations = await onMinibatches(
    search,
    children.filter((child) => gated.has(child)),
  );
  return children.flatMap((child, place) => {
    const pair = evaluations.get(child);
    if (pair === undefined) return [{ child, gain: 0 }];
    if (!pair.child.isAcceptable) {
      refuseChild(
        search,
        child,
        "low-coverage",
        "Faults left too little of the minibatch to judge.",
      );
      return [];
    }
    const pairs = scorePairs(pair.parent.scores, pair.child.scores);
    const verdict = search.settings.minibatchAcceptance.judge(pairs, () =>
      search.view.random("acceptance", place),
    );
    if (!verdict.accepts) {
      refuseChild(search, child, "not-better", verdict.reason);
      return [];
    }
    const gate = { parentSum: sumOf(pairs.parent), childSum: sumOf(pairs.child) };
    return [{ child, gain: gainOf(pairs), onTrain: pair.child, gate }];
  });
}

/** A minibatch is worth its runs only where an evaluation on val costs much more. */
function mustShow(search: Search, { components }: Child): boolean {
  const { gateAbove, minibatchSize } = search.settings;
  const { val } = search.space;
  // Where nothing is missing on val, 0 still asks for the minibatch.
  if (gateAbove === 0) return true;
  if (gateAbove === null || val.length <= gateAbove * minibatchSize) return false;
  return search.view.missingOnVal(components) > gateAbove * minibatchSize;
}

/** Parents that were not run for this, and all children. */
async function onMinibatches(
  search: Search,
  children: readonly Child[],
): Promise<
  ReadonlyMap<Child, { readonly parent: StepEvaluation; readonly child: StepEvaluation }>
> {
  if (children.length === 0) return new Map();
  const split = "train" as const;
  const parents: StepEvaluation[] = [];
  // One after the other, so that what children of one parent share is run once.
  for (const child of children) parents.push(await onParent(search, child));
  const evaluations = await evaluateKnown(
    search,
    children.map(({ components, exampleIds }) => ({
      candidate: "proposed" as const,
      components,
      split,
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
  search: Search,
  { parent, exampleIds, rollouts, isOwn }: Child,
): Promise<StepEvaluation> {
  if (isOwn) return search.run.summarize("train", rollouts);
  const { id: candidate, components } = parent;
  const [evaluation] = await evaluateKnown(search, [
    { candidate, components, split: "train", exampleIds },
  ]);
  return evaluation as StepEvaluation;
}
