import type { Candidate, SplitName } from "../../../contract/index.ts";
import { deepFreeze } from "../../../internal/index.ts";
import type { DisputedScores, MetDispute } from "../../contract/optimizer-event.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import { evaluatedEvent } from "../../contract/search-log.ts";
import type { EvaluateRequest, Rollout, StepEvaluation } from "../../evaluation/index.ts";
import type { RolloutMemory } from "./rollout-memory.ts";
import type { Lessons } from "./lessons.ts";

export interface EvaluationRequest {
  /** Its id, or "proposed". */
  readonly candidate: number | "proposed";
  readonly components: Candidate;
  readonly split: "train" | "val";
  readonly exampleIds: readonly string[];
  /**
   * Whether its reused rollouts are lessons like new ones, and examples that end in a fault count
   * as known. @default false
   */
  readonly isExploration?: boolean;
}

interface ReuseParts {
  readonly iteration: number;
  readonly run: OptimizerRun;
  readonly val: readonly string[];
  readonly memory: RolloutMemory;
  /** Where re-runs disagreed with reused scores. */
  readonly disputes: MetDispute[];
  readonly lessons: Lessons;
  /** Predictors that some rollout ran. */
  readonly invoked: Set<string>;
}

/** An example of a request. */
interface Place {
  readonly exampleId: string;
  /** Its rollout, where one counts for the candidate. */
  readonly known: Rollout | undefined;
  /** Whether it is run: it is not known, or checked again. */
  readonly isRun: boolean;
}

/**
 * Evaluates candidates side by side. Known rollouts are reused; new rollouts are remembered and
 * reported with the scores and the cost.
 */
export async function evaluateWithReuse(
  requests: readonly EvaluationRequest[],
  parts: ReuseParts,
): Promise<readonly StepEvaluation[]> {
  const { run, iteration, memory } = parts;
  const places = lookUp(parts, requests);
  const toRun = requests.flatMap(({ components, split }, index): readonly EvaluateRequest[] => {
    const missing = places[index]?.filter(({ isRun }) => isRun) ?? [];
    if (missing.length === 0) return [];
    const exampleIds = missing.map(({ exampleId }) => exampleId);
    // If train selects, runs made for their score also teach.
    return [{ candidate: components, split: memory.sharesSplits ? "train" : split, exampleIds }];
  });
  const fresh = toRun.length === 0 ? [] : await run.evaluate(toRun);
  const made = fresh.values();
  const concluded = requests.map((request, index) => {
    const own = places[index] ?? [];
    return conclude(parts, request, own, own.some(({ isRun }) => isRun) ? made.next().value : []);
  });
  run.emit({ kind: "budget-spent", iteration, ...run.spent });
  await recheckReused(
    parts,
    concluded.flatMap(({ rechecks }) => rechecks),
  );
  return concluded.map(({ evaluation }) => evaluation);
}

/** By request: what is known of its examples. */
function lookUp(
  { run, memory, val, disputes }: ReuseParts,
  requests: readonly EvaluationRequest[],
): readonly (readonly Place[])[] {
  const needed = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
  // A re-run must not use up what a proposal needs to finish.
  const spare = { rollouts: needed + val.length, reflectionCalls: 0 };
  return requests.map(({ components, split, exampleIds }) => {
    const isReused = split === "val" || memory.mode === "trace";
    const knownOf = isReused ? memory.known(components, split) : () => undefined;
    return exampleIds.map((exampleId): Place => {
      const known = knownOf(exampleId);
      if (known === undefined) return { exampleId, known, isRun: true };
      // Where scores vary, a re-run that differs says nothing of the reuse.
      const isRun = !doScoresVary(disputes) && memory.isRecheckDue() && run.fits(spare);
      return { exampleId, known, isRun };
    });
  });
}

/** A reused score whose candidate was run on the example anyway. */
interface Recheck {
  readonly components: Candidate;
  readonly split: SplitName;
  readonly reused: Rollout;
  readonly again: Rollout;
}

/** Remembers new rollouts and reports the scores of everything requested. */
function conclude(
  { run, memory, iteration, invoked, lessons }: ReuseParts,
  { candidate, components, split, exampleIds, isExploration = false }: EvaluationRequest,
  places: readonly Place[],
  made: readonly Rollout[] = [],
): { readonly evaluation: StepEvaluation; readonly rechecks: readonly Recheck[] } {
  memory.add(components, split, made);
  for (const { ran } of made) for (const name of ran) invoked.add(name);
  const fresh = made.values();
  const judged: Rollout[] = [];
  const rechecks: Recheck[] = [];
  for (const { known, isRun } of places) {
    const again = isRun ? fresh.next().value : undefined;
    if (known !== undefined && again !== undefined) {
      rechecks.push({ components, split, reused: known, again });
    }
    // A fault in a re-run says nothing about the known score.
    const isBetterKnown = again === undefined || isFault(again);
    const rollout = isBetterKnown ? (known ?? again) : again;
    if (rollout !== undefined) judged.push(rollout);
  }
  if (split === "train" && candidate !== "proposed") {
    lessons.add(candidate, made);
    if (isExploration) lessons.add(candidate, judged);
  }
  const evaluation = run.summarize(split, judged);
  const about = { iteration, candidate, split, reused: exampleIds.length - made.length };
  run.emit(evaluatedEvent(evaluation, about));
  return { evaluation, rechecks };
}

/** How often both candidates of a mismatch are run once more. */
const maxRepetitions = 2;

/**
 * Disables score reuse when a re-run proves it wrong. If the two scores differ, both candidates are
 * run again, up to twice: if one of them does not repeat its score, scores vary from run to run,
 * which says nothing of the reuse. If both do, or cannot be run, a text that the trace does not
 * show has an effect. Scores of two values may repeat by chance; reuse then ends needlessly, which
 * costs rollouts but not correctness.
 */
async function recheckReused(parts: ReuseParts, rechecks: readonly Recheck[]): Promise<void> {
  const { memory, iteration } = parts;
  for (const recheck of rechecks) {
    const reused = valueOf(recheck.reused);
    const again = valueOf(recheck.again);
    // A fault says nothing about the known score.
    if (again === reused || isFault(recheck.again) || doScoresVary(parts.disputes)) continue;
    const { exampleId } = recheck.again;
    const repeated: DisputedScores[] = [];
    let varies = false;
    while (repeated.length < maxRepetitions && !varies) {
      const scores = await repetition(parts, recheck);
      if (scores === null) break;
      repeated.push(scores);
      varies = scores.reused !== reused || scores.again !== again;
    }
    const dispute = { iteration, exampleId, reused, again, repeated };
    if (!varies) memory.disable();
    const kind = varies ? "score-reuse-kept" : "score-reuse-ended";
    const met: MetDispute = deepFreeze({ kind, ...dispute });
    parts.disputes.push(met);
    parts.run.emit(met);
    if (!varies) return;
  }
}

/** Whether a re-run differed from a known score although its reuse was right. */
function doScoresVary(disputes: readonly MetDispute[]): boolean {
  return disputes.some(({ kind }) => kind === "score-reuse-kept");
}

/** Scores of both candidates, run once more; `null` if that does not fit or ends in a fault. */
async function repetition(
  { run, memory, val, iteration }: ReuseParts,
  { components, split, reused, again: { exampleId } }: Recheck,
): Promise<DisputedScores | null> {
  // A re-run must not use up what a proposal needs to finish.
  if (!run.fits({ rollouts: 2 + val.length, reflectionCalls: 0 })) return null;
  // Without a recorded owner, the rollout was the candidate's own.
  const owner = memory.ownerOf(reused, split) ?? components;
  const exampleIds = [exampleId];
  const [[again] = [], [before] = []] = await run.evaluate(
    [components, owner].map((candidate) => ({ candidate, split, exampleIds })),
  );
  run.emit({ kind: "budget-spent", iteration, ...run.spent });
  if (again === undefined || before === undefined || isFault(again) || isFault(before)) return null;
  return { reused: valueOf(before), again: valueOf(again) };
}

function isFault({ score }: Rollout): boolean {
  return score.kind === "unscored";
}

/** `null` if there is none: the metric does not apply, or a fault came. */
export function valueOf({ score }: Rollout): number | null {
  return score.kind === "scored" ? score.value : null;
}
