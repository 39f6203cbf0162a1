import { mean } from "../../../statistics/index.ts";
import type { CandidateRecord, Selection } from "../../candidate/candidate-record.ts";
import type { Panel } from "../strategy/panel.ts";

/** What val a candidate is judged on. */
export interface Judged {
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
