import type { CandidateRecord, Rejection } from "../../optimizer/index.ts";

/** How many proposals a search kept, how many of these were better, and why it refused the rest. */
export function keptText({
  candidates,
  refusals,
}: {
  readonly candidates: readonly CandidateRecord[];
  readonly refusals: readonly Rejection[];
}): string {
  const [seed, ...kept] = candidates;
  const better = kept.filter(({ selection }) => selection.value > (seed?.selection.value ?? 0));
  const reasons = [...Map.groupBy(refusals, ({ reason }) => reason)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${length} ${reason}`);
  const why = reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
  const noun = kept.length === 1 ? "proposal" : "proposals";
  return `${kept.length} ${noun} kept, ${better.length} of them better on val than the program it started from; ${refusals.length} refused${why}`;
}
