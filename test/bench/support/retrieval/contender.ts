import type { Embedder, RankedPassage, Retriever } from "espalier";
import type { Corpus } from "espalier/retrieval";

export type SearchPart = "keyword" | "dense" | "hybrid";

/** An index that was built, with what it cost. */
export interface BuiltIndex extends AsyncDisposable {
  readonly retrievers: Readonly<Partial<Record<SearchPart, Retriever>>>;
  /** For words; excludes reading the corpus. */
  readonly keywordSeconds: number;
  /** For vectors, with making them up. */
  readonly denseSeconds?: number;
  /** Bytes on disk of words and texts together. */
  readonly keywordBytes: number;
  /** Bytes that the vectors add. */
  readonly denseBytes?: number;
}

export interface Contender {
  readonly name: string;
  /** @param place a name that no other index of the run has */
  build(given: {
    readonly corpus: Corpus;
    readonly embedder?: Embedder;
    readonly place: string;
  }): Promise<BuiltIndex>;
}

export interface TimedSearches {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly found: readonly (readonly RankedPassage[])[];
}

/** Asks one query after the other for 10 passages, after 20 that are not counted. */
export async function timedSearches(
  retriever: Retriever,
  queries: readonly string[],
): Promise<TimedSearches> {
  for (const query of queries.slice(0, 20)) await retriever.doRetrieve({ query, k: 10 }, {});
  const times: number[] = [];
  const found: (readonly RankedPassage[])[] = [];
  for (const query of queries) {
    const askedAt = performance.now();
    found.push(await retriever.doRetrieve({ query, k: 10 }, {}));
    times.push(performance.now() - askedAt);
  }
  return { ...quantiles(times), found };
}

export function quantiles(times: readonly number[]): {
  readonly p50Ms: number;
  readonly p99Ms: number;
} {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Mean share of the wanted passages that were found. */
export function overlap(
  found: readonly (readonly { readonly id: string }[])[],
  wanted: readonly (readonly { readonly id: string }[])[],
): number {
  const shares = wanted.flatMap((each, index) => {
    if (each.length === 0) return [];
    const ids = new Set(found[index]?.map(({ id }) => id));
    return [each.filter(({ id }) => ids.has(id)).length / each.length];
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Runs and times in seconds. */
export async function inSeconds<TResult>(
  work: () => Promise<TResult>,
): Promise<readonly [TResult, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, (performance.now() - startedAt) / 1_000];
}
