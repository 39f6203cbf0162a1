import { withReflectionCap } from "../budget/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { canonicalJson, contentHash } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import { budgetStop } from "../budget/index.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import type { MetDispute } from "../contract/optimizer-event.ts";
import type { Optimizer, OptimizerOutcome, OptimizerRun, StepNeed } from "../contract/optimizer.ts";
import type { EvaluateRequest, Rollout } from "../evaluation/index.ts";
import type { Numbering } from "./numbering.ts";
import { numbering } from "./numbering.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** Runs each optimizer from the best candidate so far, and joins what they found. */
export async function runInTurn(
  optimizers: readonly Optimizer[],
  space: SearchSpace,
  run: OptimizerRun,
): Promise<OptimizerOutcome> {
  const paid = paidRollouts(run);
  let joined: OptimizerOutcome | undefined;
  let iterations = 0;
  for (const [index, optimizer] of optimizers.entries()) {
    const best = joined?.best;
    const numbers = numbering({ joined, iterations, emit: (event) => run.emit(event) });
    const part = partRun(run, {
      index,
      numbers,
      paid,
      caps: capsOf(optimizer, run, optimizers.length - index),
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
function capsOf(optimizer: Optimizer, run: OptimizerRun, partsLeft: number): PartCaps {
  const { budget = partsLeft === 1 ? {} : shareOf(run, partsLeft) } = optimizer;
  return withReflectionCap(budget, { ...optimizer, repetitions: run.repetitions });
}

function shareOf(run: OptimizerRun, partsLeft: number): PartCaps {
  const rollouts = Math.floor(run.rolloutsLeft(0) / partsLeft);
  return Number.isFinite(rollouts) ? { metricCalls: rollouts * run.repetitions } : {};
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
  const rejections: Rejection[] = [
    ...before.rejections,
    ...outcome.rejections.map((rejection) => numbers.rejection(rejection)),
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
  return {
    reason: outcome.reason,
    ...(outcome.detail !== undefined && { detail: outcome.detail }),
    candidates,
    rejections,
    best,
    ...(neverInvoked && { neverInvoked }),
    ...(disputes.length > 0 && { disputes }),
  };
}

function bothNever(
  before: readonly string[] | undefined,
  now: readonly string[] | undefined,
): readonly string[] | undefined {
  if (before === undefined || now === undefined) return before ?? now;
  return before.filter((name) => now.includes(name));
}

/** The rollouts of a run, which later parts need not pay for again. */
interface PaidRollouts {
  /** Rollouts of train by the parts before. */
  readonly ofTrain: readonly Rollout[];
  /** Evaluates what the parts before have not. */
  evaluate: OptimizerRun["evaluate"];
  /** Number of rollouts that these requests would cost. */
  missing(requests: readonly EvaluateRequest[]): number;
  /** Ends a part: what it paid for is free from now on. */
  close(): void;
}

function paidRollouts(run: OptimizerRun): PaidRollouts {
  /** Everything that a rollout depends on, except its example. */
  const keyOf = ({ exampleIds: _exampleIds, lm, ...request }: EvaluateRequest): string =>
    contentHash(run.hasTeacher && lm !== undefined ? { ...request, lm } : request);
  const earlier = new Map<string, Map<string, Rollout>>();
  const ofTrain: Rollout[] = [];
  let current: { readonly request: EvaluateRequest; readonly rollouts: readonly Rollout[] }[] = [];
  const knownTo = (request: EvaluateRequest): ReadonlyMap<string, Rollout> =>
    (earlier.size === 0 ? undefined : earlier.get(keyOf(request))) ?? none;
  const missingOf = (request: EvaluateRequest): EvaluateRequest => {
    const known = knownTo(request);
    if (known.size === 0) return request;
    return { ...request, exampleIds: request.exampleIds.filter((id) => !known.has(id)) };
  };
  return {
    ofTrain,
    missing: (requests) =>
      requests.reduce((sum, request) => sum + missingOf(request).exampleIds.length, 0),
    evaluate: async (requests) => {
      const missing = requests.map(missingOf);
      const isAllKnown = missing.every(({ exampleIds }) => exampleIds.length === 0);
      const judged = isAllKnown ? [] : await run.evaluate(missing);
      current.push(
        ...missing.map((request, index) => ({ request, rollouts: judged[index] ?? [] })),
      );
      return requests.map((request, index) => {
        const known = knownTo(request);
        const fresh = new Map((judged[index] ?? []).map((one) => [one.exampleId, one]));
        return request.exampleIds.flatMap((id) => known.get(id) ?? fresh.get(id) ?? []);
      });
    },
    close: () => {
      for (const { request, rollouts } of current) {
        const key = keyOf(request);
        const held = earlier.get(key) ?? new Map<string, Rollout>();
        earlier.set(key, held);
        // A fault may not come again.
        const scored = rollouts.filter(({ score }) => score.kind !== "unscored");
        for (const rollout of scored) held.set(rollout.exampleId, rollout);
        if (request.split === "train" && request.gold === undefined) ofTrain.push(...scored);
      }
      current = [];
    },
  };
}

const none: ReadonlyMap<string, Rollout> = new Map();

/** Caps of one part of a run. */
type PartCaps = Pick<Budget, "metricCalls" | "reflectionCalls">;

/**
 * A run as one of its parts sees it: its own caps within the run's, its own random draws, its own
 * numbers.
 */
function partRun(
  run: OptimizerRun,
  {
    index: position,
    numbers,
    paid,
    caps,
  }: {
    readonly index: number;
    readonly numbers: Numbering;
    readonly paid: PaidRollouts;
    readonly caps: PartCaps;
  },
): OptimizerRun {
  const { metricCalls = Infinity, reflectionCalls = Infinity } = caps;
  const start = run.spent;
  const roomFor = {
    metricCalls: () => metricCalls - (run.spent.metricCalls - start.metricCalls),
    reflectionCalls: () => reflectionCalls - (run.spent.reflectionCalls - start.reflectionCalls),
  };
  const check = (cap: keyof typeof roomFor, more: number): void => {
    if (more > roomFor[cap]()) throw budgetStop(cap, caps[cap] ?? 0, run.spent[cap] - start[cap]);
  };
  const fits = ({ rollouts, reflectionCalls: texts }: StepNeed): boolean =>
    rollouts * run.repetitions <= roomFor.metricCalls() && texts <= roomFor.reflectionCalls();
  const earlier = [...paid.ofTrain];
  return {
    seed: run.seed,
    hasTeacher: run.hasTeacher,
    repetitions: run.repetitions,
    random: (stream, index) => run.random(position === 0 ? stream : `${position}/${stream}`, index),
    fits: (need) => fits(need) && run.fits(need),
    rolloutsLeft: (texts) => {
      if (texts > roomFor.reflectionCalls()) return 0;
      const own = Math.floor(roomFor.metricCalls() / run.repetitions);
      return Math.max(0, Math.min(own, run.rolloutsLeft(texts)));
    },
    rolloutsExpected: () => {
      const own = Math.floor(roomFor.metricCalls() / run.repetitions);
      return Math.max(0, Math.min(own, run.rolloutsExpected()));
    },
    get spent() {
      return run.spent;
    },
    ...(earlier.length > 0 && { paid: earlier }),
    stopAsked: () => run.stopAsked(),
    evaluate: async (requests) => {
      check("metricCalls", paid.missing(requests) * run.repetitions);
      return paid.evaluate(requests);
    },
    summarize: (split, rollouts) => run.summarize(split, rollouts),
    ask: async (predictor, calls) => {
      check("reflectionCalls", calls.length);
      return run.ask(predictor, calls);
    },
    consult: async (count, propose) => {
      check("reflectionCalls", count);
      return run.consult(count, propose);
    },
    emit: (event) => numbers.emit(event),
    checkpoint: () => run.checkpoint(),
  };
}
