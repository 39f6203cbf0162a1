import type { RandomSource } from "../../../contract/index.ts";
import { mean, normalQuantile } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { combined, selectionOf } from "../../evaluation/index.ts";
import type { Stage } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";

/** Examples of one round, which run side by side. */
const roundSize = 16;
/** Draws without another candidate on top after which the leader is certain. */
const certain = 100;

/**
 * Where scores vary from run to run, measures again the candidates that may be the best, in rounds
 * of 16 rollouts that the budget has room for: top-two Thompson sampling (D. Russo, "Simple
 * Bayesian Algorithms for Best-Arm Identification", Operations Research 68, 2020) with normal
 * posteriors. What is known of an example is then the mean of its runs. Ends when no other
 * candidate may be the best, or when runs repeat themselves.
 */
export async function* measureFinalists(
  stateNow: () => SearchState,
  tools: Tools,
  mostRounds: number = Infinity,
): Stage {
  const { run, evidence } = tools;
  if (!evidence.scoresVary) return;
  const measured = new Map<number, Runs>();
  const runsOf = ({ id, components }: CandidateRecord): Runs => {
    const known = evidence.known(components, "val");
    const runs =
      measured.get(id) ??
      new Map(
        stateNow().panel.exampleIds.map((exampleId) => [
          exampleId,
          [known(exampleId) ?? []].flat(),
        ]),
      );
    measured.set(id, runs);
    return runs;
  };
  let variance = 0.25;
  for (let round = 0; round < mostRounds; round++) {
    const { candidates, iteration } = stateNow();
    const spreads = candidates.map((candidate) => Math.sqrt(variance / countOf(runsOf(candidate))));
    const chosen = topTwo(candidates, spreads, run.random("gepa/finalists", round));
    if (chosen === null) return;
    const runs = runsOf(chosen);
    const exampleIds = leastRun(runs);
    if (!run.fits({ rollouts: exampleIds.length, reflectionCalls: 0 })) return;
    const { id, components } = chosen;
    const [rollouts = []] = await run.evaluate([
      { candidate: components, split: "val", exampleIds },
    ]);
    const { value, scores, coverage } = run.summarize("val", rollouts);
    run.emit({
      kind: "candidate-evaluated",
      iteration,
      candidate: id,
      split: "val",
      value,
      scores,
      coverage,
      inherited: 0,
    });
    run.emit({ kind: "budget-spent", iteration, ...run.spent });
    for (const rollout of rollouts) {
      if (rollout.score.kind === "unscored") continue;
      runs.set(rollout.exampleId, [...(runs.get(rollout.exampleId) ?? []), rollout]);
    }
    variance = varianceIn([...measured.values()]);
    if (variance === 0) return;
    const all = [...runs.values()].flatMap((some) => (some.length === 0 ? [] : combined(some)));
    const selection = selectionOf(run.summarize("val", all));
    if (selection !== null) yield [{ kind: "confirmed", candidate: chosen, selection }];
  }
}

/** A candidate's runs by val example. */
type Runs = Map<string, readonly Rollout[]>;

function countOf(runs: Runs): number {
  return Math.max(
    1,
    [...runs.values()].reduce((sum, { length }) => sum + length, 0),
  );
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

function leastRun(runs: Runs): readonly string[] {
  return [...runs]
    .toSorted(([, one], [, other]) => one.length - other.length)
    .slice(0, roundSize)
    .map(([id]) => id);
}

/** Of a single run, from all examples that were run several times. */
function varianceIn(measured: readonly Runs[]): number {
  const variances = measured.flatMap((runs) =>
    [...runs.values()].flatMap((some) => {
      const scores = some.flatMap(({ score }) => (score.kind === "scored" ? score.value : []));
      if (scores.length < 2) return [];
      const center = mean(scores);
      return scores.reduce((sum, score) => sum + (score - center) ** 2, 0) / (scores.length - 1);
    }),
  );
  return variances.length === 0 ? 0 : mean(variances);
}
