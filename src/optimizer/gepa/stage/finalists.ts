import type { RandomSource } from "../../../contract/index.ts";
import { bestOf } from "../../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { Remeasurement } from "../evidence/evidence.ts";
import type { Decision, Stage } from "../state/decision.ts";
import { missingOf, knownSelection, maxVariance, runCounts, runsOnPanel } from "../state/on-val.ts";
import type { Search, SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { stalledAfter } from "../strategy/parents.ts";
import { normalQuantile } from "../../../statistics/index.ts";

/** Maximum number of candidates to confirm: each may take all of val. */
const maxConfirmed = 3;

/**
 * After score reuse was found wrong, candidates' records still hold scores that they reused before.
 * This stage, once, runs the best candidate on the val examples on which it has not been run
 * itself; if another candidate becomes the best, it runs that one as well, and so on. If the limit
 * is reached, the best is the highest candidate with only its own scores; if the budget has no room
 * for a run, the best stays as it is.
 */
export async function* confirmBest(search: Search, tools: Tools): Stage {
  const { run, evidence } = tools;
  if (!evidence.isReuseWrong || search.state.isReuseOver) return;
  yield [{ kind: "reuse-ended" }];
  for (let count = 0; count < maxConfirmed; count++) {
    const { best, iteration } = search.state;
    if (best === undefined) return;
    const missing = evidence.missingOnVal(best.components);
    if (missing === 0 || !run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const confirmed = await confirm(best, iteration, tools);
    if (confirmed === null) break;
    yield [confirmed];
  }
  const { candidates, superseding } = search.state;
  const own = candidates.filter(({ components }) => evidence.missingOnVal(components) === 0);
  const best = bestOf(own, superseding);
  if (best !== undefined) yield [{ kind: "best-replaced", best }];
}

/**
 * Runs the best candidate on all of val where it was accepted on part of it, if the budget has room
 * for that; if another candidate becomes the best, that one as well, and so on.
 */
async function* completeBest(search: Search, tools: Tools): Stage {
  for (;;) {
    const { best, iteration } = search.state;
    const missing = missingOf(best, tools);
    if (best === undefined || missing === 0) return;
    if (!tools.run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const completed = await confirm(best, iteration, tools);
    if (completed === null) return;
    yield [completed];
  }
}

/** The candidate with its own scores; `null` if faults left too little of val to judge. */
async function confirm(
  candidate: CandidateRecord,
  iteration: number,
  { space, evidence }: Tools,
): Promise<Decision | null> {
  const { id, components } = candidate;
  const [evaluation] = await evidence.evaluate(iteration, [
    { candidate: id, components, split: "val", exampleIds: space.val },
  ]);
  const selection = evaluation === undefined ? null : selectionOf(evaluation);
  return selection && { kind: "confirmed", candidate, selection };
}

/** What ends a search: the best candidate completed, and those measured that may be the best. */
export async function* settleBest(
  search: Search,
  tools: Tools,
  {
    seeksNoise = false,
    measures = true,
  }: { readonly seeksNoise?: boolean; readonly measures?: boolean } = {},
): Stage {
  yield* completeBest(search, tools);
  if (measures) yield* measureFinalists(search, tools, { seeksNoise });
}

/** Rounds of `measureFinalists` each time. */
const maxRounds = 4;

/**
 * Doubts the best candidate of a search that finds nothing better any more: it may be worse on the
 * rest of val, or have been lucky where scores vary, so that no child can beat it. Completing it
 * takes at most half of what is left of the budget.
 */
export async function* recheckWhenStalled(search: Search, tools: Tools): Stage {
  const { best, candidates, iteration } = search.state;
  const idleFor = iteration - (candidates.at(-1)?.iteration ?? 0);
  if (idleFor < stalledAfter) return;
  if (2 * missingOf(best, tools) <= tools.run.rolloutsLeft(0)) {
    yield* completeBest(search, tools);
  }
  if (idleFor % stalledAfter === 0) yield* measureFinalists(search, tools, { maxRounds });
}

/** Examples of one round, which run side by side. */
const roundSize = 16;
/** Rounds side by side where the search is wide. */
const roundsAtOnce = 4;
/** Draws without another candidate on top after which the leader is certain. */
const certain = 100;
/** Rounds without a cap on rollouts, since candidates that are equal never tell apart. */
const uncappedRounds = 64;

/**
 * Where scores vary from run to run, measures again the candidates that may be the best, in rounds
 * of 16 rollouts that the budget has room for: top-two Thompson sampling (D. Russo, "Simple
 * Bayesian Algorithms for Best-Arm Identification", Operations Research 68, 2020) with normal
 * posteriors. Ends when no other candidate may be the best, or when runs repeat themselves.
 */
async function* measureFinalists(
  search: Search,
  tools: Tools,
  {
    maxRounds = Infinity,
    seeksNoise = false,
  }: {
    readonly maxRounds?: number;
    /** Whether the first round finds out if scores vary, where no re-check has met that. */
    readonly seeksNoise?: boolean;
  } = {},
): Stage {
  const { run, evidence, settings } = tools;
  if (!evidence.scoresVary) {
    if (!seeksNoise || (evidence.varianceOfScores ?? maxVariance) === 0) return;
  }
  const isCapped = Number.isFinite(run.rolloutsLeft(0));
  const rounds = isCapped ? maxRounds : Math.min(maxRounds, uncappedRounds);
  const atOnce = settings.proposals.isWide === true ? roundsAtOnce : 1;
  for (let round = 0; round < rounds; round += atOnce) {
    const state = search.state;
    const variance = evidence.varianceOfScores ?? maxVariance;
    if (variance === 0) return;
    const spreads = state.candidates.map((candidate) =>
      Math.sqrt(variance / runsOnPanel(candidate, state, tools)),
    );
    // Each round spends, so no two have the same number.
    const random = run.random("gepa/finalists", run.spent.metricCalls);
    const chosen = Array.from({ length: Math.min(atOnce, rounds - round) }, () =>
      topTwo(state.candidates, spreads, random),
    );
    const requests = roundsFor(chosen, state, tools);
    if (requests.length === 0) return;
    await evidence.measureAgain(state.iteration, requests);
    yield measuredAnew(
      requests.flatMap(({ exampleIds }) => exampleIds),
      state,
      tools,
    );
  }
}

/** A round for each candidate that was chosen, until one is `null` or does not fit the budget. */
function roundsFor(
  chosen: readonly (CandidateRecord | null)[],
  state: SearchState,
  tools: Tools,
): readonly (Remeasurement & { readonly candidate: CandidateRecord })[] {
  const requests = new Map<CandidateRecord, readonly string[]>();
  let rollouts = 0;
  for (const candidate of chosen) {
    if (candidate === null) break;
    const before = requests.get(candidate) ?? [];
    const exampleIds = runCounts(candidate, state, tools)
      .toSorted((one, other) => one.count - other.count)
      .slice(before.length, before.length + roundSize)
      .map(({ id }) => id);
    rollouts += exampleIds.length;
    if (!tools.run.fits({ rollouts, reflectionCalls: 0 })) break;
    requests.set(candidate, [...before, ...exampleIds]);
  }
  return [...requests].map(([candidate, exampleIds]) => ({ candidate, exampleIds }));
}

/** The leader of one draw or, every other time, of the next draw with another; `null`: no other. */
function topTwo(
  candidates: readonly CandidateRecord[],
  spreads: readonly number[],
  random: RandomSource,
): CandidateRecord | null {
  const draw = (): CandidateRecord | undefined => {
    let [found, most]: [CandidateRecord | undefined, number] = [undefined, -Infinity];
    for (const [index, one] of candidates.entries()) {
      const uniform = Math.min(1 - 1e-9, Math.max(1e-9, random.random()));
      const value = one.selection.value + (spreads[index] ?? 0) * normalQuantile(uniform);
      if (value > most) [found, most] = [one, value];
    }
    return found;
  };
  const leader = draw();
  for (let attempt = 0; attempt < certain; attempt++) {
    const other = draw();
    if (other !== leader) return (random.random() < 0.5 ? leader : other) ?? null;
  }
  return null;
}

/** The candidates whose scores on these examples have changed, since others share the runs. */
function measuredAnew(
  exampleIds: readonly string[],
  state: SearchState,
  tools: Tools,
): readonly Decision[] {
  return state.candidates.flatMap((candidate): readonly Decision[] => {
    const known = tools.evidence.known(candidate.components, "val");
    const { scores } = candidate.selection;
    const isChanged = exampleIds.some((id) => {
      const score = known(id)?.score;
      return score?.kind === "scored" && score.value !== scores[id];
    });
    const selection = isChanged ? knownSelection(candidate, state, tools) : null;
    return selection === null ? [] : [{ kind: "confirmed", candidate, selection }];
  });
}
