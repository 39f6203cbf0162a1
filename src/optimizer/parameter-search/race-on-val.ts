import type { Candidate } from "../../contract/index.ts";
import { mean } from "../../statistics/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** A setting's results on val, or on the part of it that showed it behind. */
export interface RaceResult {
  readonly evaluation: StepEvaluation;
  /** A sentence; `null` if it ran on all of val. */
  readonly behind: string | null;
}

interface RaceOptions {
  readonly run: OptimizerRun;
  readonly space: SearchSpace;
  readonly log: SearchLog;
  readonly candidate: number | "proposed";
  /** Absent: nothing can show the setting behind, so it runs on all of val at once. */
  readonly best?: CandidateRecord;
  readonly minibatchSize: number;
}

/**
 * Runs a setting on val, minibatch by minibatch in random order, as long as its mean is not below
 * the best candidate's on the same examples. An objective that is not a mean of scores says nothing
 * on part of val, so it takes all of it at once.
 */
export async function raceOnVal(components: Candidate, options: RaceOptions): Promise<RaceResult> {
  const { run, space, log, candidate, best } = options;
  const rollouts = new Map<string, Rollout>();
  const evaluated = (): StepEvaluation =>
    run.summarize(
      "val",
      space.val.flatMap((id) => rollouts.get(id) ?? []),
    );
  for (const exampleIds of minibatchesOf(options)) {
    const request = { candidate: components, split: "val" as const, exampleIds };
    const [taken = []] = await run.evaluate([request]);
    for (const rollout of taken) rollouts.set(rollout.exampleId, rollout);
    log.evaluated(run.summarize("val", taken), candidate);
    log.spent();
    if (best === undefined || rollouts.size === space.val.length) break;
    const evaluation = evaluated();
    const behind = behindText(evaluation, best, space.val.length);
    if (behind !== null) return { evaluation, behind };
  }
  return { evaluation: evaluated(), behind: null };
}

function minibatchesOf({
  run,
  space: { val },
  log: { iteration },
  best,
  minibatchSize,
}: RaceOptions): readonly (readonly string[])[] {
  const isWhole = best === undefined || minibatchSize >= val.length;
  if (isWhole || !run.summarize("val", []).isMean) return [val];
  const shuffled = run.random("validation", iteration).shuffle(val);
  return Array.from({ length: Math.ceil(val.length / minibatchSize) }, (_, place) =>
    shuffled.slice(place * minibatchSize, (place + 1) * minibatchSize),
  );
}

/** Below this, means differ by the rounding of sums. */
const rounding = 1e-9;

function behindText(
  { scores }: StepEvaluation,
  { selection }: CandidateRecord,
  val: number,
): string | null {
  const own: number[] = [];
  const other: number[] = [];
  for (const [id, score] of Object.entries(scores)) {
    const best = selection.scores[id] ?? null;
    if (score === null || best === null) continue;
    own.push(score);
    other.push(best);
  }
  if (own.length === 0 || mean(own) >= mean(other) - rounding) return null;
  return `${mean(own).toFixed(4)} on ${own.length} of ${val} examples of val, where the best before has ${mean(other).toFixed(4)}.`;
}
