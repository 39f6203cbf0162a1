import { canonicalJson, contentHash } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import { budgetStop, withReflectionCap } from "../budget/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import { withinBudget } from "../contract/search-log.ts";
import type { Optimizer, OptimizerOutcome, OptimizerRun } from "../contract/optimizer.ts";
import type { EvaluateRequest, Rollout } from "../evaluation/index.ts";
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
    const numbers = numbering({ joined, iterations, emit: (event) => run.emit(event) });
    const caps = capsOf(optimizer, run, optimizers.length - index);
    const part = partRun(run, { index, numbers, paid, caps });
    const { components } = joined?.best ?? space;
    const search = () => optimizer.doOptimize({ ...space, components }, part);
    const outcome = joined === undefined ? await search() : await withinBudget(search);
    // A later part's budget ended before it had evaluated what it starts from.
    if (outcome === null) return { ...(joined as OptimizerOutcome), reason: "budget" };
    joined = joined === undefined ? outcome : joinOutcomes(joined, outcome, numbers);
    iterations = numbers.lastIteration();
    paid.close();
    if (outcome.reason === "stopper") break;
  }
  return joined as OptimizerOutcome;
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
  before: OptimizerOutcome,
  outcome: OptimizerOutcome,
  numbers: ReturnType<typeof numbering>,
): OptimizerOutcome {
  const [seed, ...found] = outcome.candidates.map((record) => numbers.renumbered(record));
  const known = before.candidates.map((record) => {
    const isConfirmed =
      record.id === seed?.id && canonicalJson(record.selection) !== canonicalJson(seed.selection);
    return isConfirmed ? Object.freeze({ ...record, selection: seed.selection }) : record;
  });
  const candidates = [...known, ...found];
  const disputes = [
    ...(before.disputes ?? []),
    ...(outcome.disputes ?? []).map((dispute) => numbers.renumbered(dispute)),
  ];
  const neverInvoked = bothNever(before.neverInvoked, outcome.neverInvoked);
  return {
    reason: outcome.reason,
    ...(outcome.detail !== undefined && { detail: outcome.detail }),
    candidates,
    rejections: [...before.rejections, ...outcome.rejections.map((one) => numbers.renumbered(one))],
    best: candidates[numbers.renumbered(outcome.best).id] as CandidateRecord,
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

/** What holds numbers of candidates and iterations: candidates, rejections, disputes, events. */
interface Numbered {
  readonly iteration: number;
  readonly id?: number;
  readonly candidate?: number | "proposed";
  readonly parent?: number;
  readonly parents?: readonly number[];
  readonly accepted?: readonly number[];
  readonly record?: CandidateRecord;
}

/**
 * Numbers of a part of a run, in those of the whole: its seed is the best candidate before it, its
 * other candidates and its iterations follow those before.
 */
function numbering({
  joined,
  iterations,
  emit,
}: {
  /** What the parts before have found; absent for the first. */
  readonly joined: OptimizerOutcome | undefined;
  /** Number of iterations before. */
  readonly iterations: number;
  readonly emit: (event: OptimizerEvent) => void;
}) {
  let last = iterations;
  const numberOf = (id: number): number => {
    if (joined === undefined) return id;
    return id === 0 ? joined.best.id : joined.candidates.length - 1 + id;
  };
  const renumbered = <THeld extends Numbered>(held: THeld): THeld => {
    const { id, candidate, parent, parents, accepted, record } = held;
    return Object.freeze({
      ...held,
      iteration: iterations + held.iteration,
      ...(id !== undefined && { id: numberOf(id) }),
      ...(typeof candidate === "number" && { candidate: numberOf(candidate) }),
      ...(parent !== undefined && { parent: numberOf(parent) }),
      ...(parents && { parents: Object.freeze(parents.map(numberOf)) }),
      ...(accepted && { accepted: accepted.map(numberOf) }),
      ...(record && { record: renumbered(record) }),
    });
  };
  return {
    renumbered,
    /** In the whole run's numbers. */
    lastIteration: () => last,
    emit: (event: OptimizerEvent): void => {
      if (!("iteration" in event)) return emit(event);
      last = Math.max(last, iterations + event.iteration);
      const isStart = event.kind === "candidate-accepted" && event.candidate === 0;
      if (joined === undefined || !isStart) return emit(renumbered(event));
      // The start is in the journal already; only what is known of it may have changed.
      const { best } = joined;
      const { selection } = event.record;
      if (canonicalJson(best.selection) === canonicalJson(selection)) return;
      emit({ kind: "candidate-confirmed", iteration: iterations, candidate: best.id, selection });
    },
  };
}

/** The rollouts of a run, which later parts need not pay for again. */
function paidRollouts(run: OptimizerRun) {
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
    /** Rollouts of train by the parts before. */
    ofTrain,
    /** Number of rollouts that these requests would cost. */
    missing: (requests: readonly EvaluateRequest[]): number =>
      requests.reduce((sum, request) => sum + missingOf(request).exampleIds.length, 0),
    /** Evaluates what the parts before have not. */
    evaluate: async (
      requests: readonly EvaluateRequest[],
    ): ReturnType<OptimizerRun["evaluate"]> => {
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
    /** Ends a part: what it paid for is free from now on. */
    close: (): void => {
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
    readonly numbers: ReturnType<typeof numbering>;
    readonly paid: ReturnType<typeof paidRollouts>;
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
  const rolloutsWithin = (most: number): number =>
    Math.max(0, Math.min(Math.floor(roomFor.metricCalls() / run.repetitions), most));
  return {
    ...run,
    paid: [...paid.ofTrain],
    get spent() {
      return run.spent;
    },
    random: (stream, index) => run.random(position === 0 ? stream : `${position}/${stream}`, index),
    fits: (need) =>
      need.rollouts * run.repetitions <= roomFor.metricCalls() &&
      need.reflectionCalls <= roomFor.reflectionCalls() &&
      run.fits(need),
    rolloutsLeft: (texts) =>
      texts > roomFor.reflectionCalls() ? 0 : rolloutsWithin(run.rolloutsLeft(texts)),
    rolloutsExpected: () => rolloutsWithin(run.rolloutsExpected()),
    evaluate: async (requests) => {
      check("metricCalls", paid.missing(requests) * run.repetitions);
      return paid.evaluate(requests);
    },
    ask: async (predictor, calls) => {
      check("reflectionCalls", calls.length);
      return run.ask(predictor, calls);
    },
    consult: async (count, propose) => {
      check("reflectionCalls", count);
      return run.consult(count, propose);
    },
    emit: (event) => numbers.emit(event),
  };
}
