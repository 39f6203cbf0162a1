import type { Candidate } from "../../contract/index.ts";
import { paretoFront } from "../candidate/candidate-measures.ts";
import type { Selection } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { besideBest, searchLog } from "../contract/search-log.ts";
import type { Rollout } from "../evaluation/index.ts";
import { seedSelection, selectionOf } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Candidates and rejections, by what sets show. */
export interface SetRecords {
  readonly log: SearchLog;
  /** Evaluates the program as it is on all of val. */
  evaluateSeed(): Promise<readonly Rollout[]>;
  /** Gain over the seed on the examples that both have scores of; 0 without any. */
  gainOf(rollouts: readonly Rollout[]): number;
  /** On val, of components that were decided on. */
  rolloutsOf(components: Candidate): readonly Rollout[];
  propose(components: Candidate): void;
  evaluated(rollouts: readonly Rollout[]): void;
  /** Decides on components run on all of val, or on so much of it as the budget allowed. */
  settle(components: Candidate, rollouts: readonly Rollout[]): void;
}

export function setRecords(space: SearchSpace, run: OptimizerRun): SetRecords {
  const log = searchLog(run, space.components);
  const { candidates } = log;
  let ofSeed = new Map<string, Rollout>();
  const decided = new Map<Candidate, readonly Rollout[]>();
  const callsBefore = new Map<number, number>();
  const gainOf: SetRecords["gainOf"] = (rollouts) => {
    const scored = rollouts.filter(
      ({ exampleId, score }) =>
        score.kind === "scored" && ofSeed.get(exampleId)?.score.kind === "scored",
    );
    const before = scored.flatMap(({ exampleId }) => ofSeed.get(exampleId) ?? []);
    const valueOf = (of: readonly Rollout[]): number => run.summarize("val", of).value ?? 0;
    return scored.length === 0 ? 0 : valueOf(scored) - valueOf(before);
  };
  return {
    log,
    gainOf,
    evaluateSeed: async () => {
      const [rollouts = []] = await run.evaluate([
        { candidate: space.components, split: "val", exampleIds: space.val },
      ]);
      decided.set(space.components, rollouts);
      ofSeed = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
      const evaluation = run.summarize("val", rollouts);
      log.evaluated(evaluation, 0);
      log.spent();
      log.seed(seedSelection(evaluation));
      return rollouts;
    },
    rolloutsOf: (components) => decided.get(components) ?? [],
    propose: (components) => {
      callsBefore.set(log.iteration, run.spent.metricCalls);
      log.propose(components);
    },
    evaluated: (rollouts) => log.evaluated(run.summarize("val", rollouts), "proposed"),
    settle: (components, rollouts) => {
      const inOrder = inOrderOf(space.val, rollouts);
      decided.set(components, inOrder);
      const found = selectionOf(run.summarize("val", inOrder));
      if (found === null) {
        log.reject(components, "low-coverage", "Faults left too little of val to judge.");
        return;
      }
      const isWhole = inOrder.length === space.val.length;
      const selection = isWhole ? found : estimated(found, inOrder);
      const part = isWhole ? "on val" : `by ${inOrder.length} examples of val`;
      const detail = besideBest(selection, part, candidates);
      const metricCallsBefore = callsBefore.get(log.iteration) ?? 0;
      const acceptance = { by: "few-shot", detail };
      const record = log.recordOf({ components, selection, acceptance, metricCallsBefore });
      // On part of val, costs and objectives are of that part and compare with nothing.
      const isKept = isWhole
        ? paretoFront([...candidates, record]).includes(record.id)
        : candidates.every((one) => selection.value > one.selection.value);
      if (isKept) log.add(record);
      else log.reject(components, "not-better-on-val", detail);
    },
  };

  function estimated(found: Selection, seen: readonly Rollout[]): Selection {
    const seedValue = candidates[0]?.selection.value ?? 0;
    return { ...found, value: seedValue + gainOf(seen), seen: seen.length };
  }
}

function inOrderOf(ids: readonly string[], rollouts: readonly Rollout[]): readonly Rollout[] {
  const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
