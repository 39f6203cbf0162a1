import { EspalierError } from "../../errors/index.ts";
import type { OptimizerRun, OutsideStop } from "../contract/optimizer.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { Choices } from "./choices.ts";
import type { MiproV2Settings } from "./mipro-v2-settings.ts";
import type { Records } from "./records.ts";
import type { Sizes } from "./sizes.ts";
import type { Trial, Trials } from "./trials.ts";
import { startTrials } from "./trials.ts";

interface TrialRun {
  readonly run: OptimizerRun;
  /** Ids of the examples that judge. */
  readonly panel: readonly string[];
  readonly choices: Choices;
  readonly sizes: Sizes;
  readonly settings: MiproV2Settings;
  readonly records: Records;
  readonly outsideStops: readonly OutsideStop[];
}

/**
 * Tries combinations on minibatches, and runs the most promising of them on the rest of the
 * examples that judge, every few trials and at the end. Returns why it ended.
 */
export async function runTrials(
  seed: Trial,
  parts: TrialRun,
): Promise<{ readonly reason: StopReason; readonly detail: string | undefined }> {
  const { run, choices, sizes, settings, records, outsideStops } = parts;
  const trials = startTrials(run, choices);
  trials.put({ ...seed, setting: choices.own });
  let [reason, detail]: [StopReason, string | undefined] = ["all-tried", undefined];
  try {
    for (let number = 1; number <= sizes.trials; number++) {
      detail = stopFrom(outsideStops, run);
      if (detail !== undefined) break;
      const setting = trials.next(run.random("mipro-v2/trial", number));
      if (setting === undefined) break;
      if (!run.fits({ rollouts: sizes.minibatch, reflectionCalls: 0 })) {
        reason = "budget";
        break;
      }
      records.beginIteration();
      const trial = trials.trialOf(setting) ?? {
        setting,
        components: choices.candidateOf(setting),
        iteration: records.iteration,
        metricCallsBefore: run.spent.metricCalls,
        rollouts: [],
        isWhole: false,
      };
      if (trial.rollouts.length === 0) records.propose(trial);
      const random = run.random("mipro-v2/minibatch", number);
      const unseen = random.shuffle(unseenBy(trial, parts.panel));
      await runOn(trial, unseen.slice(0, sizes.minibatch), trials, parts);
      if (number % settings.fullEvaluationEvery === 0) await finishBest(trials, parts);
      records.endIteration();
    }
    if (detail === undefined) await finishWhatFits(trials, parts);
    else reason = "stopper";
  } catch (error) {
    // Work that a cap cut short does not count; everything before it does.
    if (!(EspalierError.isInstance(error) && error.kind === "budget")) throw error;
    reason = "budget";
  }
  for (const trial of trials.all) if (!trial.isWhole) records.leave(trial);
  return { reason, detail };
}

/** Runs a trial on further examples, and decides on it once it has seen all. */
async function runOn(
  trial: Trial,
  exampleIds: readonly string[],
  trials: Trials,
  { run, panel, records }: TrialRun,
): Promise<void> {
  const [added = []] = await run.evaluate([
    { candidate: trial.components, split: "val", exampleIds },
  ]);
  records.evaluated(added, "proposed");
  const rollouts = [...trial.rollouts, ...added];
  const now = { ...trial, rollouts, isWhole: rollouts.length === panel.length };
  trials.put(now);
  if (now.isWhole) records.settle(now);
}

/** Returns whether there was one, and it fitted. */
async function finishBest(trials: Trials, parts: TrialRun): Promise<boolean> {
  const best = trials.mostPromising();
  if (best === undefined) return false;
  const rest = unseenBy(best, parts.panel);
  if (!parts.run.fits({ rollouts: rest.length, reflectionCalls: 0 })) return false;
  await runOn(best, rest, trials, parts);
  return true;
}

/** At the end, the most promising of those left, and more of them where a budget is left over. */
async function finishWhatFits(trials: Trials, parts: TrialRun): Promise<void> {
  const { records, run } = parts;
  if (trials.mostPromising() === undefined) return;
  records.beginIteration();
  const isCapped = Number.isFinite(run.rolloutsLeft(0));
  while ((await finishBest(trials, parts)) && isCapped);
  records.endIteration();
}

function unseenBy({ rollouts }: Trial, panel: readonly string[]): readonly string[] {
  const seen = new Set(rollouts.map(({ exampleId }) => exampleId));
  return panel.filter((id) => !seen.has(id));
}

/** Asked between two trials; the answer is recorded. */
function stopFrom(outsideStops: readonly OutsideStop[], run: OptimizerRun): string | undefined {
  for (const { name, stop } of outsideStops) {
    const said = run.observe(() => stop());
    if (said !== null) return `${name}: ${said}`;
  }
  return undefined;
}
