import type { Evaluated, RunHistory } from "./run-history.ts";

/** What a run's evaluations say of its candidates. */
export interface Attributed {
  /** Of each candidate its last score on each example of train, by id. */
  readonly train: readonly ReadonlyMap<string, number | null>[];
  /** Evaluations of proposals that became candidates, and which. */
  readonly numbers: ReadonlyMap<Evaluated, number>;
}

/**
 * Says which evaluation belongs to which candidate. A proposal is evaluated before it has a number:
 * its evaluations on val are those of its iteration that agree with the scores it was accepted
 * with, and the one on train is that of the minibatch that decided.
 */
export function attributed({ recorded, moments }: RunHistory): Attributed {
  const train = recorded.candidates.map(() => new Map<string, number | null>());
  const numbers = new Map<Evaluated, number>();
  let proposed: Evaluated[] = [];
  const noteTrain = (candidate: number, { scores }: Evaluated): void => {
    for (const [id, value] of Object.entries(scores)) train[candidate]?.set(id, value);
  };
  for (const moment of moments) {
    if (moment.kind === "iteration-start") proposed = [];
    if (moment.kind === "evaluated") {
      if (moment.candidate === "proposed") proposed.push(moment);
      else if (moment.split === "train") noteTrain(moment.candidate, moment);
    }
    if (moment.kind !== "accepted") continue;
    const record = recorded.candidates[moment.candidate];
    if (record === undefined) continue;
    const { id, gate, selection } = record;
    const onVal = proposed.filter(
      ({ split, scores }) =>
        split === "val" &&
        Object.entries(scores).every(([example, value]) => selection.scores[example] === value),
    );
    const minibatch = proposed.find(
      ({ split, scores }) =>
        split === "train" &&
        gate?.exampleIds.length === Object.keys(scores).length &&
        gate.exampleIds.every((example) => example in scores),
    );
    if (minibatch) noteTrain(id, minibatch);
    for (const one of [...onVal, ...(minibatch ? [minibatch] : [])]) numbers.set(one, id);
  }
  return { train, numbers };
}
