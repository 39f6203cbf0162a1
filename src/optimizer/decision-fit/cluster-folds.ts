import type { RandomSource } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/**
 * Divides examples into parts of whole clusters, dealt in random order; fewer parts than asked for
 * if there are fewer clusters.
 *
 * @throws EspalierError `dataset-invalid` for fewer than two clusters
 */
export function clusterFolds(
  exampleIds: readonly string[],
  clusterOf: (exampleId: string) => string | undefined = () => undefined,
  { count, random }: { readonly count: number; readonly random: RandomSource },
): readonly (readonly string[])[] {
  const clusters = [...Map.groupBy(exampleIds, (id) => clusterOf(id) ?? id).values()];
  if (clusters.length < 2) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "Split `val` cannot be cross-validated",
      expected: "examples of at least two clusters",
      got: `${clusters.length}`,
    });
  }
  const folds = Array.from({ length: Math.min(count, clusters.length) }, (): string[] => []);
  for (const [place, ids] of random.shuffle(clusters).entries()) {
    folds[place % folds.length]?.push(...ids);
  }
  return folds;
}
