import type { ReplayedRollout, RunComparison, SourceGiven } from "../../report/index.ts";
import { flipsOf, mainContrast, replayRollouts, resultRollouts } from "../../report/index.ts";
import type { Study } from "../../study/index.ts";

/**
 * Both sides of the flips that changed most: those of runs replayed from recorded replies, those of
 * results as they were.
 *
 * @param study of the runs; not needed where there are none
 */
export async function replayedFlips(
  study: Study | undefined,
  sources: readonly SourceGiven[],
  comparison: RunComparison,
  most: number,
): Promise<readonly ReplayedRollout[]> {
  const contrast = mainContrast(comparison);
  if (contrast === undefined || most === 0) return [];
  const flipped = flipsOf(comparison, contrast).slice(0, most);
  if (flipped.length === 0) return [];
  const places = new Map(
    flipped.map(({ example }) => [comparison.examples[example]?.id ?? "", example]),
  );
  const rollouts: ReplayedRollout[] = [];
  for (const { source, candidate } of [...contrast.baseline.members, ...contrast.other.members]) {
    const given = sources[comparison.sources.findIndex(({ key }) => key === source)];
    const asked = {
      source,
      exampleIds: [...places.keys()],
      placeOf: (id: string) => places.get(id) ?? 0,
    };
    if (given?.kind === "result") {
      rollouts.push(...resultRollouts(given.result.evaluation, asked));
    }
    if (given?.kind !== "run" || study === undefined) continue;
    const { path: folder, history } = given;
    const { split } = contrast;
    rollouts.push(
      ...(await replayRollouts(study, { ...asked, folder, history, candidate, split })),
    );
  }
  return rollouts;
}
