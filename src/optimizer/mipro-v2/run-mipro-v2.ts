import { EspalierError } from "../../errors/index.ts";
import { bestOf } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { neverInvoked } from "../candidate/components.ts";
import type { OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { ShownRun } from "../demonstrations/index.ts";
import {
  bestSupported,
  creditsIn,
  fixedDemonstrations,
  shownRuns,
} from "../demonstrations/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { leversOf } from "./choices.ts";
import type { MiproV2Settings } from "./settings.ts";
import { startRecords } from "./trials.ts";
import { runTrials } from "./run-trials.ts";
import { sizesOf } from "./sizes.ts";
import type { Trial } from "./trials.ts";
import { startWorkshop } from "./workshop.ts";

/**
 * Evaluates the program as it is, makes what trials choose from, and tries it. What a cap cuts
 * short does not count; everything before it does.
 */
export async function runMiproV2(
  space: SearchSpace,
  run: OptimizerRun,
  settings: MiproV2Settings,
): Promise<OptimizerOutcome> {
  const levers = leversOf(space, settings);
  const { isMean } = run.summarize("val", []);
  const sizes = sizesOf(run.rolloutsLeft(0), space, { settings, choices: levers.count, isMean });
  const drawn = new Set(run.random("mipro-v2/panel", 0).sample(space.val, sizes.panel));
  const panel = space.val.filter((id) => drawn.has(id));
  const records = startRecords(space, run, panel);
  const rollouts = await records.log.seed({ exampleIds: panel });
  const seed: Omit<Trial, "setting"> = {
    components: space.components,
    iteration: 0,
    rollouts,
    isWhole: true,
  };
  const workshop = startWorkshop(space, run, { settings, levers, sizes, records });
  let [reason, detail]: [StopReason, string | undefined] = ["budget", undefined];
  let trials: readonly Trial[] = [];
  try {
    const parts = { space, run, panel, workshop, sizes, settings, records };
    ({ reason, detail, trials } = await runTrials(seed, await workshop.first(), parts));
  } catch (error) {
    if (!(EspalierError.isInstance(error) && error.kind === "budget")) throw error;
  }
  const { candidates } = records.log;
  const best = bestSupported(bestOf(candidates) as CandidateRecord, candidates, {
    space,
    run,
    rolloutsOf: ({ components }) =>
      trials.find((trial) => trial.components === components)?.rollouts ?? [],
  });
  const ran = new Set([...workshop.ran, ...rollouts.flatMap((rollout) => rollout.ran)]);
  return {
    reason,
    ...(detail !== undefined && { detail }),
    candidates,
    refusals: records.log.rejections,
    best,
    ...records.log.credit(best, () => creditsIn(best, shownBy(trials, space))),
    neverInvoked: neverInvoked([...levers.texts, ...levers.demos], (one) => ran.has(one)),
  };
}

function shownBy(trials: readonly Trial[], space: SearchSpace): readonly ShownRun[] {
  return trials.flatMap(({ components, rollouts }) =>
    shownRuns(rollouts, fixedDemonstrations(components), space),
  );
}
