import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { isGated } from "../settings/gepa-settings.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { SearchView } from "../state/search-view.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import { costsOnVal } from "../strategy/lesson-minibatch.ts";
import type { ProposalTask, Minibatch } from "../strategy/strategy.ts";
import { teaches } from "../../proposal/case/reflective-cases.ts";
import type { TextComponent } from "../../task/search-space.ts";

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

interface Selected {
  readonly proposals: readonly SelectedProposal[];
  readonly decisions: readonly Decision[];
}

const overBudget: Selected = { proposals: [], decisions: [{ kind: "budget-reached" }] };

/**
 * Draws parents and examples, runs the examples needed to learn, and chooses what to change.
 */
export async function select(state: SearchState, tools: Tools): Promise<Selected> {
  const { settings, run } = tools;
  if (!run.fits({ rollouts: 0, reflectionCalls: 1 })) return overBudget;
  const view = searchView(state, tools);
  const tasks = settings.proposals.sample(view, settings.parent, tools.minibatch);
  const chosen = await explore(state, tasks, { view, tools });
  const explored = affordableTasks(chosen, tools);
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
  return { proposals, decisions };
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
    const index = changeable.indexOf(componentId(first));
    return { proposal, pointer: (index + 1) % changeable.length };
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
    [...wanted.keys()].map((key, index) => [key, evaluations[index]?.rollouts]),
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

/**
 * Runs parents on examples that only inform the choice; drops tasks that the budget cannot finish.
 */
async function explore(
  state: SearchState,
  tasks: readonly ProposalTask[],
  { view, tools }: { readonly view: SearchView; readonly tools: Tools },
): Promise<readonly ProposalTask[]> {
  const { candidates, iteration } = state;
  const { run, evidence } = tools;
  const { lessons } = evidence;
  const chosen: ProposalTask[] = [];
  for (const [index, { parent: id, minibatch: first }] of tasks.entries()) {
    const parent = candidates[id] as CandidateRecord;
    let minibatch: Minibatch | null = first;
    let [fits, idleRounds] = [true, 0];
    while (minibatch?.kind === "explore") {
      const { exampleIds } = minibatch;
      // A lesson is useful only if a child can be evaluated afterwards.
      const [minOnVal = 0] = costsOnVal(view, parent);
      fits = run.fits({ rollouts: exampleIds.length + minOnVal, reflectionCalls: 1 });
      if (!fits) break;
      const { components } = parent;
      const spentBefore = run.spent.metricCalls;
      const before = exampleIds.map((exampleId) => lessons.of(id).get(exampleId));
      await evidence.evaluate(iteration, [
        { candidate: id, components, split: "train", exampleIds, isExploration: true },
      ]);
      const isNew = exampleIds.some((exampleId, number) => {
        const [was, is] = [before[number], lessons.of(id).get(exampleId)];
        return was?.rollout !== is?.rollout || was?.actedOn.size !== is?.actedOn.size;
      });
      // An earlier task may have run the same examples; two idle rounds in a row could loop
      // forever.
      idleRounds = isNew || run.spent.metricCalls > spentBefore ? 0 : idleRounds + 1;
      minibatch = idleRounds < 2 ? tools.minibatch.next(view, parent, index) : null;
    }
    if (fits) chosen.push({ parent: id, minibatch });
  }
  return chosen;
}

/**
 * Selects the tasks, in order, that the budget can carry to the end together. Of the tasks whose
 * child must first pass on its minibatch, only one is assumed to reach val.
 */
function affordableTasks(tasks: readonly ProposalTask[], tools: Tools): readonly ProposalTask[] {
  let needed = { always: 0, afterGate: 0, reflectionCalls: 0 };
  return tasks.filter((task) => {
    if (task.minibatch === null) return true;
    const { onTrain, onVal, mustPass } = needOf(tools, task.minibatch);
    const next = {
      always: needed.always + onTrain + (mustPass ? 0 : onVal),
      afterGate: Math.max(needed.afterGate, mustPass ? onVal : 0),
      reflectionCalls: needed.reflectionCalls + 1,
    };
    const { always, afterGate, reflectionCalls } = next;
    const fits = tools.run.fits({ rollouts: always + afterGate, reflectionCalls });
    if (fits) needed = next;
    return fits;
  });
}

/** Maximum rollouts of a proposal. */
function needOf(
  { settings, space, evidence }: Tools,
  minibatch: Minibatch,
): { readonly onTrain: number; readonly onVal: number; readonly mustPass: boolean } {
  if (minibatch.kind === "known") {
    const onVal = evidence.maxMissingOn(space.val, minibatch.components);
    return { onTrain: 0, onVal, mustPass: isGated(settings, onVal) };
  }
  const { length } = minibatch.exampleIds;
  const mustPass = isGated(settings, space.val.length);
  return { onTrain: mustPass ? 2 * length : length, onVal: space.val.length, mustPass };
}
