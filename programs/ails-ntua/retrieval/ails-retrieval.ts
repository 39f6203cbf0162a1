import type { Call, PassageReranker, PredictorOptions, RankedPassage, Retriever } from "espalier";
import { int, program, rankedPassages } from "espalier";
import { scoredByPlace } from "../../support/scored-by-place.ts";
import { withFallback } from "../../support/with-fallback.ts";
import type { CorpusName } from "./corpora.ts";
import { fusionParameters, nestedFusionOptions } from "./fusion-parameters.ts";
import { fusedInOneLevel } from "./fused-in-one-level.ts";
import { nestedFusion } from "./nested-fusion.ts";
import { rerankFusion } from "./rerank-fusion.ts";
import type { RetrievalInput } from "./rewriters.ts";
import { retrievalInput, rewrite, rewriters } from "./rewriters.ts";
import type { Strategy } from "./strategies.ts";
import { strategies } from "./strategies.ts";

/** The components of the retrieval. */
export interface AilsRetrievalParts {
  /** The sparse index for all rewrites, or one per collection. */
  readonly sparse: Retriever | Readonly<Record<CorpusName, Retriever>>;
  /**
   * Reorders the passages that a rewrite found by that rewrite. It sees a passage's title and text
   * together, cut at 2,000 characters, as the rerankers of `espalier/retrieval` do. Absent:
   * retrieval order.
   */
  readonly reranker?: PassageReranker;
  /**
   * What orders the passages of a rewrite: search and reranker fused (equation 1), or the reranker
   * alone, which the authors tried first (table 22).
   * @default "fused"
   */
  readonly ranking?: "fused" | "reranked";
  /**
   * The rewrites to search with, their rankings fused in one level with equal weights, as the
   * authors added one after another (table 4). @default all five, in two levels
   */
  readonly inOneLevel?: readonly Strategy[];
  /** Merged over the authors' settings for each rewriter: greedy, 400 to 800 tokens. */
  readonly sampling?: PredictorOptions["sampling"];
}

/** The predictors and parameters of the retrieval, for the programs that contain it. */
export function retrievalModules(sampling?: PredictorOptions["sampling"]) {
  return {
    predictors: rewriters(sampling),
    parameters: {
      /** Passages that each rewrite retrieves from the index. */
      depth: int({ default: 100, min: 10, max: 200 }),
      /** The first of these, which the reranker orders; the others follow in retrieval order. */
      rerankDepth: int({ default: 60, min: 1, max: 200 }),
      ...fusionParameters,
      /** Number of returned passages; the authors kept 100 and submitted 10. */
      k: int({ default: 10, min: 1, max: 100 }),
    },
  } as const;
}

type RetrievalModules = ReturnType<typeof retrievalModules>;
export type RetrievalCall = Call<RetrievalModules["predictors"], RetrievalModules["parameters"]>;

/**
 * The retrieval of AILS-NTUA (SemEval-2026 Task 8, Task A): five rewrites of the question, each
 * searched in the same sparse index and reranked, and the five rankings fused in two levels.
 */
export function ailsRetrieval({ sampling, ...parts }: AilsRetrievalParts) {
  return program({
    name: "ails-retrieval",
    version: "1",
    input: retrievalInput,
    output: { passages: rankedPassages() },
    ...retrievalModules(sampling),
    forward: async (given, call) => ({ passages: await retrieveByRewrites(given, call, parts) }),
  });
}

/** The retrieval itself; `passages` holds the `k` best. */
export async function retrieveByRewrites(
  given: RetrievalInput,
  call: RetrievalCall,
  parts: Omit<AilsRetrievalParts, "sampling">,
): Promise<readonly RankedPassage[]> {
  const { inOneLevel } = parts;
  const queries = await Promise.all(
    (inOneLevel ?? strategies).map(async (strategy) => ({
      strategy,
      query: await rewrite(strategy, given, call),
    })),
  );
  // Equal rewrites are searched once, under the first strategy's name.
  const rankings = new Map<string, Promise<readonly RankedPassage[]>>();
  for (const { strategy, query } of queries) {
    if (rankings.has(query)) continue;
    rankings.set(query, rank(query, { strategy, corpus: given.corpus, call, parts }));
  }
  const runs = await Promise.all(
    queries.map(async ({ strategy, query }) => [strategy, (await rankings.get(query)) ?? []]),
  );
  const byStrategy = Object.fromEntries(runs) as Record<Strategy, readonly RankedPassage[]>;
  const fused =
    inOneLevel === undefined
      ? nestedFusion(byStrategy, nestedFusionOptions(call.parameters, given.corpus))
      : fusedInOneLevel(inOneLevel.map((strategy) => byStrategy[strategy]));
  return fused.slice(0, call.parameters.k);
}

async function rank(
  query: string,
  {
    strategy,
    corpus,
    call,
    parts: { sparse, reranker, ranking = "fused" },
  }: {
    readonly strategy: Strategy;
    readonly corpus: CorpusName;
    readonly call: RetrievalCall;
    readonly parts: Omit<AilsRetrievalParts, "sampling">;
  },
): Promise<readonly RankedPassage[]> {
  const { depth, rerankDepth, rerankK0, rerankWeight } = call.parameters;
  const index = "doRetrieve" in sparse ? sparse : sparse[corpus];
  const found = await call.retrieve(index, { query, k: depth, key: strategy });
  const head = found.slice(0, rerankDepth);
  if (reranker === undefined || head.length === 0) return found;
  const reranked = await withFallback(
    () => call.rerank(reranker, { query, passages: head, k: head.length, key: strategy }),
    { call, key: `${strategy}-rerank-failed`, fallback: [] },
  );
  const ordered =
    ranking === "reranked" && reranked.length > 0
      ? reranked
      : rerankFusion(head, reranked, { k0: rerankK0, weight: rerankWeight });
  return scoredByPlace([...ordered, ...found.slice(rerankDepth)]);
}
