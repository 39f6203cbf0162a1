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
  /** Whether a re-run differed from a known score although its reuse was right. */
  readonly scoresVary: () => boolean;
  readonly onMismatch: (mismatch: MetDispute) => void;
  readonly lessons: Lessons;
  /** Predictors that some rollout ran. */
  readonly invoked: Set<string>;
}

/** The known part of a request, and the part to be run. */
interface Lookup {
  readonly request: EvaluationRequest;
  /** By index in `exampleIds`. */
  readonly reused: readonly (Rollout | undefined)[];
  /** Indexes of examples that are run although their rollout is known. */
  readonly rechecked: ReadonlySet<number>;
  /** Ids of the examples to run. */
  readonly missing: readonly string[];
}

/**
 * Evaluates candidates side by side. Known rollouts are reused; new rollouts are remembered and
 * reported with the scores and the cost.
 */
export async function evaluateWithReuse(
  requests: readonly EvaluationRequest[],
  parts: ReuseParts,
): Promise<readonly StepEvaluation[]> {
  const { run, iteration } = parts;
  const lookups = lookUp(parts, requests);
  const toRun = missingIn(lookups, parts.memory);
  const fresh = toRun.length === 0 ? [] : await run.evaluate(toRun);
  let next = 0;
  const made = lookups.map(({ missing }) => (missing.length === 0 ? [] : (fresh[next++] ?? [])));
  const evaluations = lookups.map((lookup, index) => conclude(parts, lookup, made[index] ?? []));
  run.emit({ kind: "budget-spent", iteration, ...run.spent });
  const rechecks = lookups.flatMap(rechecksOf(made));
  if (rechecks.length > 0) await recheckReused(parts, rechecks);
  return evaluations;
}

function lookUp(
  { run, memory, val, scoresVary }: ReuseParts,
  requests: readonly EvaluationRequest[],
): readonly Lookup[] {
  const needed = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
  // A re-run must not use up what a proposal needs to finish.
  const spare = { rollouts: needed + val.length, reflectionCalls: 0 };
  return requests.map((request) => {
    const { components, split, exampleIds } = request;
    if (split === "train" && memory.mode !== "trace") {
      return { request, reused: [], rechecked: noPlaces, missing: exampleIds };
    }
    const known = memory.known(components, split);
    const rechecked = new Set<number>();
    const missing: string[] = [];
    const reused = exampleIds.map((id, index) => {
      const rollout = known(id);
      // Where scores vary, a re-run that differs says nothing of the reuse.
      const isKnown = rollout !== undefined && !scoresVary();
      if (isKnown && memory.isRecheckDue() && run.fits(spare)) rechecked.add(index);
      if (rollout === undefined || rechecked.has(index)) missing.push(id);
      return rollout;
    });
    return { request, reused, rechecked, missing };
  });
}

const noPlaces: ReadonlySet<number> = new Set();

/** A request for each lookup that misses something. */
function missingIn(
  lookups: readonly Lookup[],
  { sharesSplits }: RolloutMemory,
): readonly EvaluateRequest[] {
  return lookups.flatMap(({ request: { components, split }, missing }) =>
    missing.length === 0
      ? []
      : [
          {
            candidate: components,
            // If train selects, runs made for their score also teach.
            split: sharesSplits ? ("train" as const) : split,
            exampleIds: missing,
          },
        ],
  );
}

/** Remembers new rollouts and reports the scores of everything requested. */
function conclude(
  { run, memory, iteration, invoked, lessons }: ReuseParts,
  { request, reused, rechecked }: Lookup,
  made: readonly Rollout[],
): StepEvaluation {
  const { candidate, components, split, exampleIds, isExploration = false } = request;
  memory.add(components, split, made);
  for (const { ran } of made) for (const name of ran) invoked.add(name);
  let next = 0;
  const judged: Rollout[] = [];
  for (let index = 0; index < exampleIds.length; index++) {
    const known = reused[index];
    const fresh = known === undefined || rechecked.has(index) ? made[next++] : undefined;
    // A fault in a re-run says nothing about the known score.
    const isFault = fresh?.score.kind === "unscored";
    const rollout = fresh === undefined || isFault ? (known ?? fresh) : fresh;
    if (rollout !== undefined) judged.push(rollout);
  }
  if (split === "train" && candidate !== "proposed") {
    lessons.add(candidate, made);
    if (isExploration) lessons.add(candidate, judged);
  }
  const evaluation = run.summarize(split, judged);
  const about = { iteration, candidate, split, reused: exampleIds.length - made.length };
  run.emit(evaluatedEvent(evaluation, about));
  return evaluation;
}

/** A reused score whose candidate was run on the example anyway. */
interface Recheck {
  readonly components: Candidate;
  readonly split: SplitName;
  readonly reused: Rollout;
  readonly again: Rollout;
}

/** Pairs each reused rollout with its re-run. */
function rechecksOf(
  made: readonly (readonly Rollout[])[],
): (lookup: Lookup, index: number) => readonly Recheck[] {
  return ({ request: { components, split, exampleIds }, reused, rechecked }, number) =>
    [...rechecked].flatMap((index) => {
      const again = made[number]?.find(({ exampleId }) => exampleId === exampleIds[index]);
      const before = reused[index];
      return again === undefined || before === undefined
        ? []
        : [{ components, split, reused: before, again }];
    });
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
    if (again === reused || isFault(recheck.again) || parts.scoresVary()) continue;
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
    report(parts, { kind: varies ? "score-reuse-kept" : "score-reuse-ended", ...dispute });
    if (!varies) return;
  }
}

function report({ run, onMismatch }: ReuseParts, mismatch: MetDispute): void {
  onMismatch(deepFreeze(mismatch));
  run.emit(mismatch);
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

/** `null` if the metric does not apply. */
function valueOf({ score }: Rollout): number | null {
  return score.kind === "scored" ? score.value : null;
}
