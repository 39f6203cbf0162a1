import type { Candidate } from "../../contract/index.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import type { Search } from "./search.ts";

export interface EvaluationRequest {
  /** Id, or "proposed". */
  readonly candidate: number | "proposed";
  readonly components: Candidate;
  readonly split: "train" | "val";
  readonly exampleIds: readonly string[];
}

/**
 * Evaluates candidates side by side. What is known already is not run again; what is run is remembered,
 * and told with the scores and what was spent.
 */
export async function evaluateKnown(
  search: Search,
  requests: readonly EvaluationRequest[],
): Promise<readonly StepEvaluation[]> {
  const { run, memory, iteration } = search;
  const audited: { request: EvaluationRequest; inherited: Rollout }[] = [];
  const needed = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
  // A re-run must not take what a proposal needs to be carried to its end.
  const spare = { metricCalls: needed + search.space.val.length, reflections: 0 };
  const known = requests.map((request) => {
    const { components, split, exampleIds } = request;
    const found = new Map<string, Rollout>();
    if (memory.inheritance === "candidate" && split === "train") return found;
    for (const id of exampleIds) {
      const rollout = memory.known(components, split, id);
      if (rollout === undefined) continue;
      found.set(id, rollout);
      if (memory.isAuditDue() && run.fits(spare)) {
        audited.push({ request, inherited: rollout });
      }
    }
    return found;
  });
  const missing = requests.map((request, place) => {
    const { components: candidate, split, exampleIds } = request;
    const again = audited.filter((audit) => audit.request === request);
    const isRun = (id: string): boolean =>
      known[place]?.has(id) !== true || again.some(({ inherited }) => inherited.exampleId === id);
    // Where train selects, what is run for its score teaches, too.
    const runOn = memory.sharesSplits ? "train" : split;
    return { candidate, split: runOn, exampleIds: exampleIds.filter(isRun) };
  });
  const toRun = missing.filter(({ exampleIds }) => exampleIds.length > 0);
  const made = toRun.length === 0 ? [] : await run.evaluate(toRun);
  const fresh = new Map(toRun.map((request, place) => [request, made[place] ?? []]));

  const evaluations = requests.map((request, place) => {
    const { candidate, components, split, exampleIds } = request;
    const step = missing[place];
    const rollouts = (step && fresh.get(step)) ?? [];
    memory.add(components, split, rollouts);
    for (const { ran } of rollouts) for (const name of ran) search.invoked.add(name);
    if (split === "train" && candidate !== "proposed") search.lessons.add(candidate, rollouts);
    const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
    const judged = (id: string): Rollout | undefined => {
      const [made, inherited] = [byId.get(id), known[place]?.get(id)];
      // A fault of a re-run says nothing of the score that is known.
      return made === undefined || made.score.kind === "unscored" ? (inherited ?? made) : made;
    };
    const evaluation = run.summarize(
      split,
      exampleIds.flatMap((id) => judged(id) ?? []),
    );
    const { value, scores, coverage } = evaluation;
    run.emit({
      kind: "candidate-evaluated",
      iteration,
      candidate,
      split,
      value,
      scores,
      coverage,
      inherited: exampleIds.length - rollouts.length,
    });
    return evaluation;
  });
  run.emit({ kind: "budget-spent", iteration, ...run.spent });
  for (const { request, inherited } of audited) {
    const again = evaluations[requests.indexOf(request)]?.scores[inherited.exampleId];
    const before = inherited.score.kind === "scored" ? inherited.score.value : null;
    if (again === before) continue;
    memory.distrust();
    const { exampleId } = inherited;
    run.emit({
      kind: "inheritance-ended",
      iteration,
      exampleId,
      inherited: before,
      again: again ?? null,
    });
    break;
  }
  return evaluations;
}
