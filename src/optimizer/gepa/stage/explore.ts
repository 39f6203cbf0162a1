import { withChanges } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { SearchView } from "../state/search-view.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { afterRefusals } from "../minibatch/after-refusals.ts";
import { costsOnVal } from "../strategy/costs-on-val.ts";
import type { Minibatch, ProposalTask } from "../strategy/strategy.ts";

/**
 * Runs parents on examples that only inform the choice; drops tasks that the budget cannot finish.
 */
export async function explore(
  state: SearchState,
  tasks: readonly ProposalTask[],
  { view, tools }: { readonly view: SearchView; readonly tools: Tools },
): Promise<readonly ProposalTask[]> {
  const { candidates, iteration } = state;
  const { run, settings, evidence } = tools;
  const { isWide = false } = settings.proposals;
  const { lessons } = evidence;
  const chosen: ProposalTask[] = [];
  for (const [place, { parent: id, minibatch: first }] of tasks.entries()) {
    const parent = candidates[id] as CandidateRecord;
    let minibatch: Minibatch | null = first;
    if (isWide && place > 0 && first?.kind !== "run") {
      // Nothing is explored for a proposal that an acceptance before it may make needless.
      const next = tools.minibatch.next(afterRefusals(view, chosen), parent, place);
      if (next?.kind === "known") chosen.push({ parent: id, minibatch: next });
      continue;
    }
    let [fits, fruitless, inVain] = [true, 0, 0];
    while (minibatch?.kind === "explore") {
      const { exampleIds } = minibatch;
      // A lesson is useful only if a child can be evaluated afterwards.
      const [leastOnVal = 0] = costsOnVal(view, parent);
      fits = run.fits({ rollouts: exampleIds.length + leastOnVal, reflectionCalls: 1 });
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
      // An earlier task may have run the same examples; two fruitless rounds in a row could loop
      // forever.
      fruitless = isNew || run.spent.metricCalls > spentBefore ? 0 : fruitless + 1;
      inVain += exampleIds.length;
      const after = withChanges(view, { exploredInVain: inVain });
      minibatch = fruitless < 2 ? tools.minibatch.next(after, parent, place) : null;
    }
    if (fits) chosen.push({ parent: id, minibatch });
  }
  return chosen;
}
