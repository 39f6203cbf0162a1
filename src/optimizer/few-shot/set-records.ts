import type { Candidate } from "../../contract/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { searchLog } from "../contract/search-log.ts";
import type { Rollout } from "../evaluation/index.ts";
import { selectionOf } from "../evaluation/index.ts";
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
  /** Decides on components run on all of val, or on so much of it as the budget allowed. */
  settle(components: Candidate, rollouts: readonly Rollout[]): void;
}

export function setRecords(space: SearchSpace, run: OptimizerRun): SetRecords {
  const log = searchLog(run, space);
  let ofSeed = new Map<string, Rollout>();
  const decided = new Map<Candidate, readonly Rollout[]>();
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
      const rollouts = await log.seed();
      decided.set(space.components, rollouts);
      ofSeed = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
      return rollouts;
    },
    rolloutsOf: (components) => decided.get(components) ?? [],
    settle: (components, rollouts) => {
      const inOrder = inOrderOf(space.val, rollouts);
      decided.set(components, inOrder);
      const found = selectionOf(run.summarize("val", inOrder));
      const { length: seen } = inOrder;
      const isWhole = seen === space.val.length;
      const seedValue = log.candidates[0]?.selection.value ?? 0;
      log.decide(components, {
        by: "few-shot",
        selection:
          isWhole || found === null
            ? found
            : { ...found, value: seedValue + gainOf(inOrder), seen },
        where: isWhole ? "on val" : `by ${seen} examples of val`,
      });
    },
  };
}

function inOrderOf(ids: readonly string[], rollouts: readonly Rollout[]): readonly Rollout[] {
  const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
