import type { Candidate, SplitName } from "../../contract/index.ts";
import { deepFreeze } from "../../internal/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { DisputedScores, MetDispute } from "../contract/optimizer-event.ts";
import type { Search } from "./search.ts";

/** A rollout that was inherited, and that the candidate which inherits was run for all the same. */
export interface Audit {
  readonly components: Candidate;
  readonly split: SplitName;
  readonly inherited: Rollout;
  readonly again: Rollout;
}

/**
 * Ends inheritance where a re-run shows that it was wrong. Where the two scores differ, both candidates are
 * run once more to tell that from scores which vary from run to run.
 */
export async function auditInheritance(search: Search, audits: readonly Audit[]): Promise<void> {
  const { memory, iteration, disputeJudge: judge } = search;
  for (const audit of audits) {
    const inherited = valueOf(audit.inherited);
    const again = valueOf(audit.again);
    // A fault says nothing of the score that is known.
    if (again === inherited || isFault(audit.again)) continue;
    const { exampleId } = audit.again;
    const repeated: DisputedScores[] = [];
    const dispute = { exampleId, inherited, again, repeated };
    while (judge.asksForMore(dispute)) {
      const scores = await repetition(search, audit);
      if (scores === null) break;
      repeated.push(scores);
    }
    if (judge.isWrong(dispute)) {
      memory.distrust();
      search.isBestInDoubt = true;
      tell(search, { kind: "inheritance-ended", iteration, ...dispute });
      return;
    }
    memory.auditClosely(judge.isSuspicious);
    tell(search, { kind: "inheritance-kept", iteration, ...dispute });
  }
}

function tell({ run, disputes }: Search, dispute: MetDispute): void {
  disputes.push(deepFreeze(dispute));
  run.emit(dispute);
}

/** Scores of both candidates, run once more; `null` where that does not fit, or ends in a fault. */
async function repetition(
  { run, memory, space, iteration }: Search,
  { components, split, inherited, again: { exampleId } }: Audit,
): Promise<DisputedScores | null> {
  // A re-run must not take what a proposal needs to be carried to its end.
  if (!run.fits({ metricCalls: 2 + space.val.length, reflections: 0 })) return null;
  // What has no other owner by now was the candidate's own.
  const owner = memory.ownerOf(inherited, split) ?? components;
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

/** `null` where the metric does not apply. */
function valueOf({ score }: Rollout): number | null {
  return score.kind === "scored" ? score.value : null;
}
