import type { Candidate, SplitName } from "../../../contract/index.ts";
import { deepFreeze } from "../../../internal/index.ts";
import type { DisputedScores, MetDispute } from "../../contract/optimizer-event.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { RolloutMemory } from "./rollout-memory.ts";
import type { MismatchJudge } from "./mismatch-judge.ts";

/** A reused score whose candidate was run on the example anyway. */
export interface Recheck {
  readonly components: Candidate;
  readonly split: SplitName;
  readonly reused: Rollout;
  readonly again: Rollout;
}

export interface RecheckParts {
  readonly iteration: number;
  readonly run: OptimizerRun;
  readonly val: readonly string[];
  readonly memory: RolloutMemory;
  readonly judge: MismatchJudge;
  readonly onMismatch: (mismatch: MetDispute) => void;
}

/**
 * Disables score reuse when a re-run proves it wrong. If the two scores differ, both candidates are
 * run once more, to distinguish a wrong reuse from scores that vary from run to run.
 */
export async function recheckReused(
  parts: RecheckParts,
  rechecks: readonly Recheck[],
): Promise<void> {
  const { memory, iteration, judge } = parts;
  for (const recheck of rechecks) {
    const inherited = valueOf(recheck.reused);
    const again = valueOf(recheck.again);
    // A fault says nothing about the known score.
    if (again === inherited || isFault(recheck.again)) continue;
    const { exampleId } = recheck.again;
    const repeated: DisputedScores[] = [];
    const mismatch = { exampleId, inherited, again, repeated };
    while (judge.asksForMore(mismatch)) {
      const scores = await repetition(parts, recheck);
      if (scores === null) break;
      repeated.push(scores);
    }
    if (judge.isWrong(mismatch)) {
      memory.disable();
      report(parts, { kind: "inheritance-ended", iteration, ...mismatch });
      return;
    }
    memory.recheckClosely(judge.isSuspicious);
    report(parts, { kind: "inheritance-kept", iteration, ...mismatch });
  }
}

function report({ run, onMismatch }: RecheckParts, mismatch: MetDispute): void {
  onMismatch(deepFreeze(mismatch));
  run.emit(mismatch);
}

/** Scores of both candidates, run once more; `null` if that does not fit or ends in a fault. */
async function repetition(
  { run, memory, val, iteration }: RecheckParts,
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
  return { inherited: valueOf(before), again: valueOf(again) };
}

function isFault({ score }: Rollout): boolean {
  return score.kind === "unscored";
}

/** `null` if the metric does not apply. */
function valueOf({ score }: Rollout): number | null {
  return score.kind === "scored" ? score.value : null;
}
