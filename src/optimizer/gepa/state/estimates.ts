import type { CandidateRecord, Selection } from "../../candidate/candidate-record.ts";
import type { Panel } from "../strategy/strategy.ts";
import { mean } from "../../../statistics/index.ts";

/** What val a candidate is judged on. */
interface Judged {
  readonly panel: Panel;
  /** Number of examples in val. */
  readonly val: number;
}

/**
 * A selection as a record holds it: with an estimate as its value unless it covers all of val. The
 * estimate is the parent's value plus the gain over it on the examples that both were run on, each
 * weighted by what it stands for (a difference estimator).
 */
export function withEstimate(
  selection: Selection,
  parent: Pick<CandidateRecord, "selection"> | undefined,
  { panel, val }: Judged,
): Selection {
  const { seen: _, ...rest } = selection;
  const seen = Object.keys(selection.scores).length;
  if (seen === val || parent === undefined) return rest;
  const before = parent.selection;
  const weights: number[] = [];
  const gains: number[] = [];
  for (const [id, score] of Object.entries(selection.scores)) {
    const parentScore = before.scores[id] ?? null;
    if (score === null || parentScore === null) continue;
    const weight = panel.weights?.get(id) ?? 1;
    weights.push(weight);
    gains.push(weight * (score - parentScore));
  }
  const gain = gains.length === 0 ? 0 : mean(gains) / mean(weights);
  return { ...rest, value: before.value + gain, seen };
}

/** The same candidates, with estimates from the present values of their parents. */
export function withEstimates(
  candidates: readonly CandidateRecord[],
  judged: Judged,
): readonly CandidateRecord[] {
  const now: CandidateRecord[] = [];
  for (const one of candidates) {
    const selection =
      one.selection.seen === undefined
        ? one.selection
        : withEstimate(one.selection, now[one.parents[0] ?? -1], judged);
    const isSame = selection.value === one.selection.value;
    now.push(isSame ? one : Object.freeze({ ...one, selection: Object.freeze(selection) }));
  }
  return now;
}

/** What the spread of children around their parents is taken for before any was measured. */
const usualSpread = 0.1;
/** How many children that assumption counts for. */
const assumed = 3;

/**
 * The posterior mean of each candidate's value on val, by id, where a measured value is only that
 * near the true one. A child is expected near its parent (normal, with the spread that the run's
 * own children show), so a lucky child counts for less than one that was measured often: empirical
 * Bayes along the lineage. The seed is taken as measured.
 *
 * @param candidates in order of acceptance
 * @param varianceOf the variance of a candidate's measured value around its true one
 */
export function posteriorMeans(
  candidates: readonly CandidateRecord[],
  varianceOf: (candidate: CandidateRecord) => number,
): readonly number[] {
  const variances = candidates.map(varianceOf);
  const spread = spreadOfChildren(candidates, variances);
  const posteriors: { readonly mean: number; readonly variance: number }[] = [];
  for (const [id, { parents, selection }] of candidates.entries()) {
    const variance = variances[id] ?? 0;
    const above = parents.flatMap((parent) => posteriors[parent] ?? []);
    if (above.length === 0) {
      posteriors.push({ mean: selection.value, variance });
      continue;
    }
    const prior = {
      mean: mean(above.map((one) => one.mean)),
      variance: spread + mean(above.map((one) => one.variance)),
    };
    const trust = prior.variance / (prior.variance + variance);
    posteriors.push({
      mean: prior.mean + trust * (selection.value - prior.mean),
      variance: (1 - trust) * prior.variance,
    });
  }
  return posteriors.map((one) => one.mean);
}

/** Variance of true values around their parents': of measured ones, less their own variance. */
function spreadOfChildren(
  candidates: readonly CandidateRecord[],
  variances: readonly number[],
): number {
  const squares = candidates.flatMap(({ id, parents: [parent = -1], selection }) => {
    const before = candidates[parent];
    if (before === undefined) return [];
    const noise = (variances[id] ?? 0) + (variances[parent] ?? 0);
    return (selection.value - before.selection.value) ** 2 - noise;
  });
  const all = [...squares, ...Array.from({ length: assumed }, () => usualSpread ** 2)];
  return Math.max(mean(all), 1e-6);
}
