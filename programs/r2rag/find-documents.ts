import type { Call, PassageReranker, Predictors, RankedPassage, Retriever, Text } from "espalier";
import { int, oneLine, real } from "espalier";
import { distinctPassages } from "../support/distinct-passages.ts";
import { fallbackFrom, withFallback } from "../support/with-fallback.ts";
import { pageOf } from "./documents.ts";

/** The components that find and order documents. */
export interface SearchParts {
  /** A search engine, such as `httpSearch`, or any index. */
  readonly retriever: Retriever;
  /**
   * Its scores are compared with the parameter `threshold`: P(yes), as the authors use it, from
   * `qwen3Reranker`, or from `yesNoReranker({ question: pageRelevance })`.
   */
  readonly reranker: PassageReranker;
}

export const searchParameters = {
  /** Documents requested per query. */
  depth: int({ default: 10, min: 1, max: 50 }),
  /**
   * Only documents with a higher score are kept. From the authors' code: the paper gives no value.
   */
  threshold: real({ default: 0.6, min: 0, max: 1 }),
  /** Words of a document that the reranker reads. */
  rerankWords: int({ default: 4_000, min: 50, max: 20_000, isLogScale: true }),
} as const;

export type SearchCall = Pick<
  Call<Predictors, typeof searchParameters>,
  "parameters" | "signal" | "retrieve" | "rerank" | "note" | "step"
>;

/**
 * The search shared by both pipelines (section 3.2): variants of a query, a concurrent search for
 * each, and reranking by the query itself. The query is always searched along with its variants
 * (the authors' code). Failures are noted and have fallbacks: only the query for its variants, no
 * results for a search, and none for the reranking, since scores of zero are below any threshold.
 *
 * @returns the documents above the threshold, best first
 */
export async function findDocuments(
  {
    query,
    count,
    vary,
  }: {
    readonly query: Text<"query">;
    /** Maximum number of variants. */
    readonly count: number;
    readonly vary: (inputs: {
      readonly query: Text<"query">;
      readonly count: number;
    }) => Promise<{ readonly queries: readonly Text<"query">[] }>;
  },
  call: SearchCall,
  { retriever, reranker }: SearchParts,
): Promise<readonly RankedPassage[]> {
  const { depth, threshold, rerankWords } = call.parameters;
  const varied = await withFallback(() => vary({ query, count }), {
    call,
    key: "variantsFailed",
    fallback: { queries: [] },
  });
  const queries = distinctQueries([query, ...varied.queries.filter(isNotBlank).slice(0, count)]);
  call.step(`Searching for ${queries.map((each) => `"${each}"`).join(", ")}\n`);

  const failures: string[] = [];
  const runs = await Promise.all(
    queries.map(async (each, index) => {
      try {
        return await call.retrieve(retriever, { query: each, k: depth, key: index + 1 });
      } catch (error) {
        failures.push(`${each}: ${fallbackFrom(error, call.signal)}`);
        return [];
      }
    }),
  );
  if (failures.length > 0) call.note("searchesFailed", failures.toSorted());
  const found = distinctPassages(runs.flat());
  const ranked = found.length === 0 ? [] : await reranked();
  const relevant = ranked.filter(({ score }) => score > threshold);
  call.step(`Found ${found.length} documents, ${relevant.length} of them relevant\n`);
  return relevant;

  async function reranked(): Promise<readonly RankedPassage[]> {
    const pages = found.map((document) => pageOf(document, rerankWords));
    const order = await withFallback(
      () => call.rerank(reranker, { query, passages: pages, k: pages.length }),
      { call, key: "rerankingFailed", fallback: [] },
    );
    const byId = new Map(found.map((document) => [document.id, document]));
    return order.flatMap(({ id, score }) => {
      const document = byId.get(id);
      return document === undefined ? [] : [{ ...document, score }];
    });
  }
}

/** Removes repeated queries, ignoring case and white space. */
function distinctQueries(queries: readonly Text<"query">[]): readonly Text<"query">[] {
  const seen = new Set<string>();
  return queries
    .map((query) => oneLine(query))
    .filter((query) => !seen.has(query.toLowerCase()) && seen.add(query.toLowerCase()));
}

export function isNotBlank(text: string): boolean {
  return text.trim() !== "";
}
