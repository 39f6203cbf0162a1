import type {
  ChosenSearch,
  StopReason,
  CandidateRecord,
  Rejection,
  MetDispute,
} from "../../optimizer/index.ts";
import { shownQuality } from "../../optimizer/index.ts";

/** Says which search an optimizer has chosen, and why. */
export function searchText({ name, version, why }: ChosenSearch): string {
  return `search: ${name} (version ${version}), because ${why}`;
}

/** Why a run ended, in words. */
export const stopReasons: Readonly<Record<StopReason, string>> = {
  budget: "stopped at the budget",
  stopper: "stopped by a stopper",
  "all-tried": "tried everything there was to try",
  "nothing-new": "stopped because reflection proposed nothing new",
  "reflection-failing": "stopped because the reflection LM kept failing",
};

/** How many proposals a search kept, how many of these were better, and why it refused the rest. */
export function keptText({
  candidates,
  rejections,
}: {
  readonly candidates: readonly CandidateRecord[];
  readonly rejections: readonly Rejection[];
}): string {
  const [seed, ...kept] = candidates;
  const better = kept.filter(({ selection }) => selection.value > (seed?.selection.value ?? 0));
  const reasons = [...Map.groupBy(rejections, ({ reason }) => reason)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${length} ${reason}`);
  const why = reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
  const noun = kept.length === 1 ? "proposal" : "proposals";
  const higher = `${better.length} scored higher on val than the program it started from`;
  return `${kept.length} ${noun} kept${kept.length === 0 ? "" : `, of which ${higher}`}; ${rejections.length} refused${why}`;
}

/**
 * A candidate's value on val, and on how many of its examples it rests if not on all. How many
 * there are is known only where the seed was run on all.
 */
export function valueText(
  selection: CandidateRecord["selection"],
  seed: CandidateRecord | undefined,
): string {
  const { seen } = selection;
  const shown = shownQuality(selection, seed).toFixed(4);
  if (seen === undefined) return shown;
  if (seen === 0) return `${shown} (estimate, not run on val)`;
  const isAllKnown = seed !== undefined && seed.selection.seen === undefined;
  const all = isAllKnown ? ` of ${Object.keys(seed.selection.scores).length}` : "";
  const noun = seen === 1 && !isAllKnown ? "example" : "examples";
  return `${shown} (estimate from ${seen}${all} ${noun} of val)`;
}

/** What a person must know about reused scores that turned out wrong; empty if nothing. */
export function scoreConflictsText(disputes: readonly MetDispute[] = []): readonly string[] {
  const ended = disputes.find(({ kind }) => kind === "score-reuse-ended");
  const varied = disputes.find(({ kind }) => kind === "score-reuse-kept");
  return [
    ...(varied === undefined
      ? []
      : [
          `scores vary from run to run: ${scoresText(varied)}; a claim may need more examples or repetitions`,
        ]),
    ...(ended === undefined
      ? []
      : [
          `some scores were reused wrongly: ${scoresText(ended)}. A text affects runs whose traces do not show it; from iteration ${ended.iteration} every candidate was run in full, and the best was run again if the budget allowed. Val scores of other candidates accepted earlier may be wrong; test is not affected`,
        ]),
  ];
}

function scoresText({ exampleId, reused, again }: MetDispute): string {
  return `\`${exampleId}\` had ${scoreText(reused)}, and ${scoreText(again)} when run again`;
}

function scoreText(score: number | null): string {
  return score === null ? "no score" : score.toFixed(4);
}
