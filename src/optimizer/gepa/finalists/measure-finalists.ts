import type { RandomSource } from "../../../contract/index.ts";
import { normalQuantile } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { knownSelection } from "../state/known-selection.ts";
import { mostVariance, runCounts, runsOnPanel } from "../state/runs-on-panel.ts";
import type { Course } from "../state/course.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import type { Remeasurement } from "../score-reuse/evidence.ts";

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
export async function measureFinalists(
  course: Course,
  tools: Tools,
  {
    mostRounds = Infinity,
    seeksNoise = false,
  }: {
    readonly mostRounds?: number;
    /** Whether the first round finds out if scores vary, where no re-check has met that. */
    readonly seeksNoise?: boolean;
  } = {},
): Promise<void> {
  const { run, evidence, settings } = tools;
  if (!evidence.scoresVary) {
    if (!seeksNoise || (evidence.varianceOfScores ?? mostVariance) === 0) return;
  }
  const isCapped = Number.isFinite(run.rolloutsLeft(0));
  const rounds = isCapped ? mostRounds : Math.min(mostRounds, uncappedRounds);
  const atOnce = settings.proposals.isWide === true ? roundsAtOnce : 1;
  for (let round = 0; round < rounds; round += atOnce) {
    const state = course.state();
    const variance = evidence.varianceOfScores ?? mostVariance;
    if (variance === 0) return;
    const spreads = state.candidates.map((candidate) =>
      Math.sqrt(variance / runsOnPanel(candidate, state, tools)),
    );
    // Each round spends, so no two have the same number.
    const random = run.random("gepa/finalists", run.spent.metricCalls);
    const chosen = Array.from({ length: Math.min(atOnce, rounds - round) }, () =>
      topTwo(state.candidates, spreads, random),
    );
    const requests = leastRun(chosen, state, tools);
    if (requests.length === 0) return;
    await evidence.measureAgain(state.iteration, requests);
    course.act(
      measuredAnew(
        requests.flatMap(({ exampleIds }) => exampleIds),
        state,
        tools,
      ),
    );
  }
}

/** A round for each candidate that was chosen, until one is `null` or does not fit the budget. */
function leastRun(
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
    for (const [place, one] of candidates.entries()) {
      const uniform = Math.min(1 - 1e-9, Math.max(1e-9, random.random()));
      const value = one.selection.value + (spreads[place] ?? 0) * normalQuantile(uniform);
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
