import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { Rollout } from "../evaluation/index.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import { explore } from "./explore.ts";
import { fittingTasks } from "./fitting-tasks.ts";
import { teaches } from "./lesson/reflective-cases.ts";
import type { Search } from "./search.ts";
import type { ProposalTask } from "./strategy/strategy.ts";
import type { TextComponent } from "./strategy/text-component.ts";

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
  const explored = fittingTasks(search, await explore(search, tasks));
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
