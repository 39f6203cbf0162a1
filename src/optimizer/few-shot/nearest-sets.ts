import type { DemonstrationVectors, Json, NearestDemonstrations } from "../../contract/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { DemonstrationPool } from "./bootstrap.ts";
import type { DemonstrationSet, ShownSet } from "./draw-sets.ts";
import type { FewShotSettings } from "./few-shot-settings.ts";

/**
 * All demonstrations that were found, with each number of nearest ones that is to be tried and that
 * leaves some out. Vectors are asked for once; the run keeps them.
 */
export async function nearestSets(
  { embedder }: SearchSpace,
  run: OptimizerRun,
  { bootstrapped, labelled }: DemonstrationPool,
  { nearest }: FewShotSettings,
): Promise<readonly ShownSet[]> {
  if (nearest === undefined) return [];
  const demonstrations: DemonstrationSet = [...bootstrapped, ...labelled];
  const pools = Map.groupBy(demonstrations, ({ predictor }) => predictor);
  const largest = Math.max(...[...pools.values()].map(({ length }) => length));
  const tried = [...new Set(nearest.k)].filter((k) => k < largest);
  if (tried.length === 0) return [];
  const vectors =
    nearest.by === "words" || embedder === undefined
      ? null
      : await run.consult(0, async (signal): Promise<Readonly<Record<string, Json>>> => {
          // Loaded late: it brings all that renders prompts.
          const { embedDemonstrations } = await import("../../program/index.ts");
          const made: Record<string, Json> = {};
          for (const [predictor, pool] of pools) {
            const shown = pool.map(({ demonstration }) => demonstration);
            const { embedder: by, ...rest } = await embedDemonstrations(shown, {
              embedder,
              signal,
            });
            made[predictor] = { ...rest, embedder: { ...by } };
          }
          return made;
        });
  const byOf = (predictor: string): NearestDemonstrations["by"] =>
    vectors === null ? "words" : (vectors[predictor] as unknown as DemonstrationVectors);
  return tried.map((k) => ({
    demonstrations,
    nearest: new Map([...pools.keys()].map((predictor) => [predictor, { k, by: byOf(predictor) }])),
  }));
}
