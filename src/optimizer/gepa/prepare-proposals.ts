import type { CandidateRecord } from "../candidate-record.ts";
import type { Rollout } from "../evaluation/index.ts";
import { predictorOf } from "../predictor-of.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import { teaches } from "./proposal/reflective-cases.ts";
import type { Search } from "./search.ts";
import { costsOnVal } from "./strategy/costs-on-val.ts";
import type { Minibatch, ProposalTask, SearchView } from "./strategy/strategy.ts";
import type { TextComponent } from "./text-component.ts";

/** A proposal about to be written. */
export interface PreparedProposal {
  readonly parent: CandidateRecord;
  readonly components: readonly TextComponent[];
  readonly rollouts: readonly Rollout[];
  /** Whether the parent was run for this; else they may be an ancestor's. */
  readonly isOwn: boolean;
  readonly exampleIds: readonly string[];
}

interface Prepared {
  readonly proposals: readonly PreparedProposal[];
  /** Whether nothing can be tried any more. */
  readonly isOverBudget: boolean;
}

/** Draws parents and examples, runs what must be run to learn, and chooses what to change. */
export async function prepareProposals(search: Search): Promise<Prepared> {
  const { settings, candidates, run } = search;
  if (!run.fits({ metricCalls: 0, reflections: 1 })) return { proposals: [], isOverBudget: true };
  const tasks = settings.proposals.sample(search.view, settings.parent, settings.minibatch);
  const explored = fitting(search, await explore(search, tasks));
  if (tasks.length > 0 && explored.length === 0) return { proposals: [], isOverBudget: true };
  const rolloutsOf = await runParents(search, explored);
  const proposals: PreparedProposal[] = [];
  for (const { parent: id, minibatch } of explored) {
    const parent = candidates[id] as CandidateRecord;
    const skip = (
      reason: "all-perfect" | "not-invoked" | "low-coverage" | "nothing-left",
    ): void => {
      run.emit({ kind: "proposal-skipped", iteration: search.iteration, parent: id, reason });
    };
    if (minibatch === null || minibatch.kind === "explore") {
      skip("nothing-left");
      continue;
    }
    const { exampleIds } = minibatch;
    if (minibatch.kind === "known") {
      const { components, rollouts } = minibatch;
      advance(search, parent, components);
      proposals.push({ parent, components, rollouts, exampleIds, isOwn: false });
      continue;
    }
    const rollouts = rolloutsOf(id, exampleIds);
    const evaluation = run.summarize("train", rollouts);
    if (!evaluation.isAcceptable && rollouts.some(({ score }) => score.kind === "unscored")) {
      skip("low-coverage");
    } else if (rollouts.every((rollout) => isDone(rollout, settings.perfectScore))) {
      skip("all-perfect");
    } else {
      const view = search.view;
      const { components, pointer } = settings.component.select(view, {
        parent,
        rollouts,
        components: view.componentsOf(parent),
        pointer: view.pointerOf(id),
        isInvoked: (component) =>
          rollouts.some((rollout) => teaches(rollout, predictorOf(component))),
      });
      search.pointers[id] = pointer;
      if (components.length === 0) skip("not-invoked");
      else proposals.push({ parent, components, rollouts, exampleIds, isOwn: true });
    }
  }
  return { proposals, isOverBudget: false };
}

/** Runs parents on examples that only serve to choose; without tasks that the budget ends before. */
async function explore(
  search: Search,
  tasks: readonly ProposalTask[],
): Promise<readonly ProposalTask[]> {
  const { settings, candidates, run, lessons } = search;
  const chosen: ProposalTask[] = [];
  for (const [place, { parent: id, minibatch: first }] of tasks.entries()) {
    const parent = candidates[id] as CandidateRecord;
    let minibatch: Minibatch | null = first;
    let [fits, fruitless] = [true, 0];
    while (minibatch?.kind === "explore") {
      const { exampleIds } = minibatch;
      // What is learnt is of use only where a child can be evaluated after it.
      const [leastOnVal = 0] = costsOnVal(search.view, parent);
      fits = run.fits({ metricCalls: exampleIds.length + leastOnVal, reflections: 1 });
      if (!fits) break;
      const { components } = parent;
      const spentBefore = run.spent.metricCalls;
      const before = exampleIds.map((exampleId) => lessons.of(id).get(exampleId));
      const [evaluation] = await evaluateKnown(search, [
        { candidate: id, components, split: "train", exampleIds },
      ]);
      // What is known already is a lesson too.
      lessons.add(id, evaluation?.rollouts ?? []);
      const isNew = exampleIds.some((exampleId, number) => {
        const [was, is] = [before[number], lessons.of(id).get(exampleId)];
        return was?.rollout !== is?.rollout || was?.actedOn.size !== is?.actedOn.size;
      });
      // A task before it may have run the same; twice in a row it could go on for ever.
      fruitless = isNew || run.spent.metricCalls > spentBefore ? 0 : fruitless + 1;
      minibatch = fruitless < 2 ? settings.minibatch.next(search.view, parent, place) : null;
    }
    if (fits) chosen.push({ parent: id, minibatch });
  }
  return chosen;
}

/**
 * Tasks that the budget can carry to their ends together, the first ones first. Of those that must show
 * on their minibatches that they are better, one is taken to come to val.
 */
function fitting(search: Search, tasks: readonly ProposalTask[]): readonly ProposalTask[] {
  const view = search.view;
  let needed = { always: 0, afterGate: 0, reflections: 0 };
  return tasks.filter((task) => {
    if (task.minibatch === null) return true;
    const { onTrain, onVal, isGated } = needOf(search, view, task.minibatch, task.parent);
    const next = {
      always: needed.always + onTrain + (isGated ? 0 : onVal),
      afterGate: Math.max(needed.afterGate, isGated ? onVal : 0),
      reflections: needed.reflections + 1,
    };
    const metricCalls = next.always + next.afterGate;
    const fits = search.run.fits({ metricCalls, reflections: next.reflections });
    if (fits) needed = next;
    return fits;
  });
}

/** Metric calls that a proposal takes at most. */
function needOf(
  { settings, candidates, space }: Search,
  view: SearchView,
  minibatch: Minibatch,
  parentId: number,
): { readonly onTrain: number; readonly onVal: number; readonly isGated: boolean } {
  const { gateAbove, minibatchSize } = settings;
  const parent = candidates[parentId] as CandidateRecord;
  const size = minibatch.exampleIds.length;
  const isKnown = minibatch.kind === "known";
  const onVal = isKnown ? view.mostMissingOnVal(parent, minibatch.components) : space.val.length;
  const isGated = gateAbove !== null && onVal > gateAbove * minibatchSize;
  return { onTrain: isGated ? 2 * size : isKnown ? 0 : size, onVal, isGated };
}

/** Runs each parent on its examples, the same ones once. */
async function runParents(
  search: Search,
  tasks: readonly ProposalTask[],
): Promise<(parent: number, exampleIds: readonly string[]) => readonly Rollout[]> {
  const keyOf = (parent: number, exampleIds: readonly string[]): string =>
    [parent, ...exampleIds].join("\n");
  const wanted = new Map(
    tasks.flatMap(({ parent, minibatch }) =>
      minibatch?.kind === "run"
        ? [[keyOf(parent, minibatch.exampleIds), { parent, ids: minibatch.exampleIds }] as const]
        : [],
    ),
  );
  if (wanted.size === 0) return () => [];
  const requests = [...wanted.values()].map(({ parent, ids }) => ({
    candidate: parent,
    components: search.candidates[parent]?.components ?? [],
    split: "train" as const,
    exampleIds: ids,
  }));
  const evaluations = await evaluateKnown(search, requests);
  const byKey = new Map(
    [...wanted.keys()].map((key, place) => [key, evaluations[place]?.rollouts]),
  );
  return (parent, exampleIds) => byKey.get(keyOf(parent, exampleIds)) ?? [];
}

/** Moves the parent's turn behind the first of some components. */
function advance(
  { pointers, changeable }: Search,
  { id }: CandidateRecord,
  [first]: readonly TextComponent[],
): void {
  if (first === undefined) return;
  const place = changeable.indexOf(`${first.kind}:${first.path}`);
  pointers[id] = (place + 1) % changeable.length;
}

/** Has nothing more to teach: perfect, or not judged by this metric. */
function isDone({ score }: Rollout, perfectScore: number | null): boolean {
  return (
    score.kind === "not-applicable" ||
    (score.kind === "scored" && score.value >= (perfectScore ?? Infinity))
  );
}
