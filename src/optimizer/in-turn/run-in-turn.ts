import { EspalierError } from "../../errors/index.ts";
import { canonicalJson } from "../../internal/index.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import { showsSameDemonstrations } from "../candidate/shows-same-demonstrations.ts";
import type { MetDispute } from "../contract/dispute.ts";
import type { Optimizer, OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Numbering } from "./numbering.ts";
import { numbering } from "./numbering.ts";
import { paidRollouts } from "./paid-rollouts.ts";
import type { PartCaps } from "./part-run.ts";
import { partRun } from "./part-run.ts";

/** Runs each optimizer from the best candidate so far, and joins what they found. */
export async function runInTurn(
  optimizers: readonly Optimizer[],
  space: SearchSpace,
  run: OptimizerRun,
): Promise<OptimizerOutcome> {
  const paid = paidRollouts(run);
  let joined: OptimizerOutcome | undefined;
  let iterations = 0;
  for (const [place, optimizer] of optimizers.entries()) {
    const best = joined?.best;
    const numbers = numbering({ joined, iterations, emit: (event) => run.emit(event) });
    const part = partRun(run, {
      place,
      numbers,
      paid,
      caps: capsOf(optimizer, run, optimizers.length - place),
    });
    const start = best === undefined ? space : { ...space, components: best.components };
    const outcome = await doPart(optimizer, start, part, joined);
    if (outcome === null) return { ...(joined as OptimizerOutcome), reason: "budget" };
    joined = joinOutcomes(joined, outcome, numbers);
    iterations = numbers.lastIteration();
    paid.close();
    if (outcome.reason === "stopper" || outcome.reason === "perfect") break;
  }
  return joined as OptimizerOutcome;
}

/** `null` where a later part's budget ends before it has evaluated what it starts from. */
async function doPart(
  optimizer: Optimizer,
  start: SearchSpace,
  part: OptimizerRun,
  before: OptimizerOutcome | undefined,
): Promise<OptimizerOutcome | null> {
  try {
    return await optimizer.doOptimize(start, part);
  } catch (error) {
    const isBudget = EspalierError.isInstance(error) && error.kind === "budget";
    if (isBudget && before !== undefined) return null;
    throw error;
  }
}

/** The caps of a part; an equal share of what is left where it has none. */
function capsOf({ budget }: Optimizer, run: OptimizerRun, partsLeft: number): PartCaps {
  if (budget !== undefined) return budget;
  if (partsLeft === 1) return {};
  const rollouts = Math.floor(run.rolloutsLeft(0) / partsLeft);
  return { metricCalls: rollouts * run.repetitions };
}

/** The second outcome's seed is the first one's best. */
function joinOutcomes(
  before: OptimizerOutcome | undefined,
  outcome: OptimizerOutcome,
  numbers: Numbering,
): OptimizerOutcome {
  if (before === undefined) return outcome;
  const [seed, ...found] = outcome.candidates.map((record) => numbers.record(record));
  const candidates: CandidateRecord[] = before.candidates.map((record) => {
    const isConfirmed =
      record.id === seed?.id && canonicalJson(record.selection) !== canonicalJson(seed.selection);
    return isConfirmed ? Object.freeze({ ...record, selection: seed.selection }) : record;
  });
  candidates.push(...found);
  const refusals: Rejection[] = [
    ...before.refusals,
    ...outcome.refusals.map((rejection) => numbers.rejection(rejection)),
  ];
  const disputes: MetDispute[] = [
    ...(before.disputes ?? []),
    ...(outcome.disputes ?? []).map((dispute) => ({
      ...dispute,
      iteration: numbers.iteration(dispute.iteration),
    })),
  ];
  const neverInvoked = bothNever(before.neverInvoked, outcome.neverInvoked);
  const best = candidates[numbers.candidate(outcome.best.id)] as CandidateRecord;
  const isAsCredited = showsSameDemonstrations(before.best.components, best.components);
  const credits = outcome.credits ?? (isAsCredited ? before.credits : undefined);
  return {
    reason: outcome.reason,
    ...(outcome.detail !== undefined && { detail: outcome.detail }),
    candidates,
    refusals,
    best,
    ...(neverInvoked && { neverInvoked }),
    ...(disputes.length > 0 && { disputes }),
    ...(credits && { credits }),
  };
}

function bothNever(
  before: readonly string[] | undefined,
  now: readonly string[] | undefined,
): readonly string[] | undefined {
  if (before === undefined || now === undefined) return before ?? now;
  return before.filter((name) => now.includes(name));
}
