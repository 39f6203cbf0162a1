import type { Retriever } from "../../contract/index.ts";
import { checkCount, contentHash } from "../../internal/index.ts";
import type { FusionOptions } from "./reciprocal-rank-fusion.ts";
import { reciprocalRankFusion } from "./reciprocal-rank-fusion.ts";

export interface HybridOptions extends FusionOptions {
  readonly retrievers: readonly Retriever[];
  /** Number of passages requested from each retriever; `k` if that is larger. @default 100 */
  readonly depth?: number;
  /** Name in call paths and traces. @default "hybrid" */
  readonly name?: string;
  readonly module?: string;
}

/**
 * Combines several retrievers by reciprocal rank fusion. A program that tunes the constants calls
 * `reciprocalRankFusion` itself. The caller remains responsible for closing the retrievers.
 *
 * @throws EspalierError `option-invalid`
 */
export function hybrid({
  retrievers,
  depth = 100,
  name = "hybrid",
  module,
  ...fusion
}: HybridOptions): Retriever {
  checkCount("depth", depth);
  // Throws for invalid options now instead of at the first query.
  reciprocalRankFusion(
    retrievers.map(() => []),
    fusion,
  );
  const versions = retrievers.map((retriever) => [retriever.name, retriever.version]);
  return {
    name,
    version: `1-${contentHash({ versions, depth, ...fusion }).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRetrieve: async ({ query, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const request = { query, k: Math.max(k, depth) };
      const runs = await Promise.all(
        retrievers.map((retriever) =>
          retriever.doRetrieve(request, signal === undefined ? {} : { signal }),
        ),
      );
      return reciprocalRankFusion(runs, fusion).slice(0, k);
    },
  };
}
