import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { teaches } from "../../proposal/case/reflective-cases.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { SearchView } from "../state/search-view.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { ProposalTask } from "../strategy/strategy.ts";
import type { TextComponent } from "../../task/text-component.ts";
import { affordableTasks } from "./affordable-tasks.ts";
import { explore } from "./explore.ts";

/** A proposal whose texts are about to be written. */
export interface SelectedProposal {
  readonly parent: CandidateRecord;
  readonly components: readonly TextComponent[];
  readonly rollouts: readonly Rollout[];
  /**
   * Whether these are the parent's own, run for this proposal; otherwise they may be an ancestor's.
   */
  readonly isOwn: boolean;
  readonly exampleIds: readonly string[];
}

export interface Selected {
  readonly proposals: readonly SelectedProposal[];
  readonly decisions: readonly Decision[];
  /** Whether the budget allows no further attempt. */
  readonly isOverBudget: boolean;
}

const overBudget: Selected = { proposals: [], decisions: [], isOverBudget: true };

/**
 * Draws parents and examples, runs the examples needed to learn, and chooses what to change.
 */
export async function select(state: SearchState, tools: Tools): Promise<Selected> {
  const { settings, run } = tools;
  if (!run.fits({ rollouts: 0, reflectionCalls: 1 })) return overBudget;
  const view = searchView(state, tools);
  const tasks = settings.proposals.sample(view, settings.parent, tools.minibatch);
  const chosen = await explore(state, tasks, { view, tools });
  const explored = affordableTasks(state, chosen, tools);
  if (tasks.length > 0 && explored.length === 0) return overBudget;
  const rolloutsOf = await runParents(state, explored, tools);
  const proposals: SelectedProposal[] = [];
  const decisions: Decision[] = [];
  // Proposals of one iteration share turns: the second from a parent continues after the first.
  const pointers = new Map<number, number>();
  for (const { parent: id, minibatch } of explored) {
    const chosen =
      minibatch === null || minibatch.kind === "explore"
        ? ("nothing-left" as const)
        : choose(id, minibatch, {
            view,
            tools,
            pointer: pointers.get(id) ?? view.pointerOf(id),
            rollouts:
              minibatch.kind === "known"
                ? minibatch.rollouts
                : rolloutsOf(id, minibatch.exampleIds),
          });
    if (typeof chosen === "string") {
      decisions.push({ kind: "proposal-skipped", parent: id, reason: chosen });
      continue;
    }
    const { pointer, proposal } = chosen;
    pointers.set(id, pointer);
    decisions.push({ kind: "turn-moved", parent: id, pointer });
    // Known examples were chosen together with the components that they change.
    if (minibatch?.kind === "known" || proposal.components.length > 0) proposals.push(proposal);
    else decisions.push({ kind: "proposal-skipped", parent: id, reason: "not-invoked" });
  }
  return { proposals, decisions, isOverBudget: false };
}

/**
 * Chooses what to change in a parent based on its rollouts, and whose turn is next; or says why
 * there is nothing to change.
 */
function choose(
  id: number,
  minibatch: Exclude<NonNullable<ProposalTask["minibatch"]>, { kind: "explore" }>,
  {
    view,
    tools,
    pointer,
    rollouts,
  }: {
    readonly view: SearchView;
    readonly tools: Tools;
    readonly pointer: number;
    readonly rollouts: readonly Rollout[];
  },
):
  | { readonly proposal: SelectedProposal; readonly pointer: number }
  | "low-coverage"
  | "all-perfect" {
  const { settings, run, changeable, componentsOf } = tools;
  const parent = view.candidates[id] as CandidateRecord;
  const { exampleIds } = minibatch;
  if (minibatch.kind === "known") {
    const { components } = minibatch;
    const proposal = { parent, components, rollouts, exampleIds, isOwn: false };
    const [first] = components;
    if (first === undefined) return { proposal, pointer };
    const place = changeable.indexOf(componentId(first));
    return { proposal, pointer: (place + 1) % changeable.length };
  }
  const evaluation = run.summarize("train", rollouts);
  if (!evaluation.isAcceptable && rollouts.some(({ score }) => score.kind === "unscored")) {
    return "low-coverage";
  }
  if (rollouts.every((rollout) => isDone(rollout, settings.perfectScore))) return "all-perfect";
  const chosen = settings.component.select(view, {
    parent,
    rollouts,
    components: componentsOf(parent),
    pointer,
    isInvoked: (component) => rollouts.some((rollout) => teaches(rollout, predictorOf(component))),
  });
  const { components } = chosen;
  const proposal = { parent, components, rollouts, exampleIds, isOwn: true };
  return { proposal, pointer: chosen.pointer };
}

/** Runs each parent on its examples; identical requests run once. */
async function runParents(
  { candidates, iteration }: SearchState,
  tasks: readonly ProposalTask[],
  { evidence }: Tools,
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
    components: candidates[parent]?.components ?? [],
    split: "train" as const,
    exampleIds: ids,
  }));
  const evaluations = await evidence.evaluate(iteration, requests);
  const byKey = new Map(
    [...wanted.keys()].map((key, place) => [key, evaluations[place]?.rollouts]),
  );
  return (parent, exampleIds) => byKey.get(keyOf(parent, exampleIds)) ?? [];
}

/** Whether a rollout has nothing more to teach: it is perfect, or the metric does not apply. */
function isDone({ score }: Rollout, perfectScore: number | null): boolean {
  return (
    score.kind === "not-applicable" ||
    (score.kind === "scored" && score.value >= (perfectScore ?? Infinity))
  );
}
