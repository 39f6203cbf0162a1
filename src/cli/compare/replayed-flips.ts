import type { ReplayedRollout, RunComparison, SourceGiven } from "../../report/index.ts";
import { flipsOf, mainContrast, replayRollouts } from "../../report/index.ts";
import type { Study } from "../../study/index.ts";

/** Both sides of the flips that changed most, replayed from the runs' recorded replies. */
export async function replayedFlips(
  study: Study,
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
    if (given?.kind !== "run") continue;
    const { path: folder, history } = given;
    rollouts.push(
      ...(await replayRollouts(study, {
        folder,
        history,
        source,
        candidate,
        split: contrast.split,
        exampleIds: [...places.keys()],
        placeOf: (id) => places.get(id) ?? 0,
      })),
    );
  }
  return rollouts;
}
