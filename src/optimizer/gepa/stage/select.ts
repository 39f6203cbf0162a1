import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { EvaluationRequest } from "../evidence/evaluate-with-reuse.ts";
import { isGated } from "../settings/gepa-settings.ts";
import type { Search } from "../state/search.ts";
import { costsOnVal } from "../strategy/lesson-minibatch.ts";
import type { Minibatch, ProposalTask, SearchView } from "../strategy/strategy.ts";
import { teaches } from "../../proposal/case/reflective-cases.ts";
import type { TextComponent } from "../../task/search-space.ts";

/** A proposal whose texts are about to be written. */
export interface SelectedProposal {
  readonly parent: CandidateRecord;
  /** Those to change, as the parent has them. */
  readonly changed: readonly TextComponent[];
  /** The rollouts it learns from. */
  readonly rollouts: readonly Rollout[];
  /**
   * Whether these are the parent's own, run for this proposal; otherwise they may be an ancestor's.
   */
  readonly isOwn: boolean;
  readonly exampleIds: readonly string[];
}

/**
 * Draws parents and examples, runs the examples needed to learn, and chooses what to change.
 */
export async function select(search: Search): Promise<readonly SelectedProposal[]> {
  const { parent, minibatch, proposals: sampling } = search.settings.search;
  if (search.run.fits({ rollouts: 0, reflectionCalls: 1 })) {
    const view = search.view();
    const tasks = sampling.sample(view, parent, minibatch);
    const explored = affordableTasks(await explore(tasks, view, search), search);
    if (tasks.length === 0 || explored.length > 0) {
      const rolloutsOf = await runParents(explored, search);
      return explored.flatMap((task) => proposalFor(task, rolloutsOf, view, search));
    }
  }
  search.isOverBudget = true;
  return [];
}

/**
 * Chooses what to change in a parent based on its rollouts, and whose turn is next; or tells why
 * there is nothing to change.
 */
function proposalFor(
  task: ProposalTask,
  rolloutsOf: (task: ProposalTask) => readonly Rollout[],
  view: SearchView,
  search: Search,
): readonly SelectedProposal[] {
  const { parent: id, minibatch } = task;
  const parent = view.candidates[id] as CandidateRecord;
  if (minibatch === null || minibatch.kind === "explore") {
    search.skip(id, "nothing-left");
    return [];
  }
  const { exampleIds } = minibatch;
  // Known examples were chosen together with the components that they change.
  if (minibatch.kind === "known") {
    const { rollouts, components: changed } = minibatch;
    const { changeable } = search;
    const [first] = changed;
    if (first !== undefined) {
      search.moveTurn(id, (changeable.indexOf(componentId(first)) + 1) % changeable.length);
    }
    return [{ parent, changed, rollouts, exampleIds, isOwn: false }];
  }
  const rollouts = rolloutsOf(task);
  const { component, perfectScore } = search.settings.search;
  const { isAcceptable } = search.run.summarize("train", rollouts);
  if (!isAcceptable && rollouts.some(({ score }) => score.kind === "unscored")) {
    search.skip(id, "low-coverage");
    return [];
  }
  if (rollouts.every((rollout) => isDone(rollout, perfectScore))) {
    search.skip(id, "all-perfect");
    return [];
  }
  const { components: changed, pointer } = component.select(view, {
    parent,
    rollouts,
    components: view.componentsOf(parent),
    // Proposals of one iteration share turns: the second from a parent continues after the first.
    pointer: view.pointerOf(id),
    isInvoked: (one) => rollouts.some((rollout) => teaches(rollout, predictorOf(one))),
  });
  search.moveTurn(id, pointer);
  if (changed.length > 0) return [{ parent, changed, rollouts, exampleIds, isOwn: true }];
  search.skip(id, "not-invoked");
  return [];
}

/** Whether a rollout has nothing more to teach: it is perfect, or the metric does not apply. */
function isDone({ score }: Rollout, perfectScore: number | null): boolean {
  return (
    score.kind === "not-applicable" ||
    (score.kind === "scored" && score.value >= (perfectScore ?? Infinity))
  );
}

/** Runs each parent on its examples; identical requests run once. */
async function runParents(
  tasks: readonly ProposalTask[],
  search: Search,
): Promise<(task: ProposalTask) => readonly Rollout[]> {
  const keyOf = ({ parent, minibatch }: ProposalTask): string =>
    [parent, ...(minibatch?.exampleIds ?? [])].join("\n");
  const wanted = new Map<string, EvaluationRequest>();
  for (const task of tasks) {
    const { parent, minibatch } = task;
    if (minibatch?.kind !== "run") continue;
    const { components } = search.candidates[parent] as CandidateRecord;
    const { exampleIds } = minibatch;
    wanted.set(keyOf(task), { candidate: parent, components, split: "train", exampleIds });
  }
  if (wanted.size === 0) return () => [];
  const evaluations = await search.evaluate([...wanted.values()]);
  const byKey = new Map(
    [...wanted.keys()].map((key, index) => [key, evaluations[index]?.rollouts]),
  );
  return (task) => byKey.get(keyOf(task)) ?? [];
}

/**
 * Runs parents on examples that only inform the choice; drops tasks that the budget cannot finish.
 */
async function explore(
  tasks: readonly ProposalTask[],
  view: SearchView,
  search: Search,
): Promise<readonly ProposalTask[]> {
  const { run, evidence, settings } = search;
  const { lessons } = evidence;
  const chosen: ProposalTask[] = [];
  for (const [index, { parent: id, minibatch: first }] of tasks.entries()) {
    const parent = view.candidates[id] as CandidateRecord;
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
      await search.evaluate([
        { candidate: id, components, split: "train", exampleIds, isExploration: true },
      ]);
      const isNew = exampleIds.some((exampleId, number) => {
        const [was, is] = [before[number], lessons.of(id).get(exampleId)];
        return was?.rollout !== is?.rollout || was?.actedOn.size !== is?.actedOn.size;
      });
      // An earlier task may have run the same examples; two idle rounds in a row could loop
      // forever.
      idleRounds = isNew || run.spent.metricCalls > spentBefore ? 0 : idleRounds + 1;
      minibatch = idleRounds < 2 ? settings.search.minibatch.next(view, parent, index) : null;
    }
    if (fits) chosen.push({ parent: id, minibatch });
  }
  return chosen;
}

/**
 * Selects the tasks, in order, that the budget can carry to the end together. Of the tasks whose
 * child must first pass on its minibatch, only one is assumed to reach val.
 */
function affordableTasks(tasks: readonly ProposalTask[], search: Search): readonly ProposalTask[] {
  let needed = { always: 0, afterGate: 0, reflectionCalls: 0 };
  return tasks.filter((task) => {
    if (task.minibatch === null) return true;
    const { onTrain, onVal, mustPass } = needOf(search, task.minibatch);
    const next = {
      always: needed.always + onTrain + (mustPass ? 0 : onVal),
      afterGate: Math.max(needed.afterGate, mustPass ? onVal : 0),
      reflectionCalls: needed.reflectionCalls + 1,
    };
    const { always, afterGate, reflectionCalls } = next;
    const fits = search.run.fits({ rollouts: always + afterGate, reflectionCalls });
    if (fits) needed = next;
    return fits;
  });
}

/** Maximum rollouts of a proposal. */
function needOf(
  { settings, space, evidence }: Search,
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
