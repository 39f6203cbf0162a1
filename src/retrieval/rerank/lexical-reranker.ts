import type { PassageReranker } from "../../contract/index.ts";
import type { Bm25Index } from "../lexical/bm25-index.ts";
import { checkCount } from "../../internal/index.ts";
import { documentText } from "../corpus/document-text.ts";
import type { Stemmer } from "../lexical/stemmed-words.ts";
import { stemmer } from "../lexical/stemmed-words.ts";
import { bestPassages, distinctPassages } from "./rerank-order.ts";

export interface LexicalRerankerOptions {
  /** Source of document frequencies in the whole corpus. @default the candidates themselves */
  readonly index?: Pick<Bm25Index, "size" | "checksum" | "documentFrequency">;
  /** Name in call paths and traces. @default "lexical" */
  readonly name?: string;
  readonly module?: string;
}

/**
 * Orders passages by the words they share with the query, without a model: BM25 (Robertson and
 * Zaragoza 2009; k1 = 1.2, b = .75) over the stems of title and text. Unlike the index, it scores
 * candidates of several queries by one query, uses their mean length, and has idf = ln(1 + (N - n +
 * .5) / (n + .5)), which is never negative, since candidates share many words. A passage without a
 * word of the query scores 0.
 */
export function lexicalReranker({
  index,
  name = "lexical",
  module,
}: LexicalRerankerOptions = {}): PassageReranker {
  const stemsOf = rememberedStems(stemmer());
  return {
    name,
    version: index === undefined ? "1" : `1-${index.checksum.slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRerank: async ({ query, passages: given, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const passages = distinctPassages(given);
      const documents = passages.map((passage) => documentText(passage, Infinity));
      const [asked = [], ...stems] = stemsOf([query, ...documents]);
      const counted = stems.map(termCounts);
      const frequencyOf =
        index?.documentFrequency ??
        ((stem: string) => counted.filter((counts) => counts.has(stem)).length);
      const rarity = [...new Set(asked)].map((stem) => ({
        stem,
        idf: idf(frequencyOf(stem), index?.size ?? documents.length),
      }));
      const meanLength =
        stems.reduce((sum, { length }) => sum + length, 0) / Math.max(1, stems.length);
      const scores = counted.map((counts, index) => {
        const length = stems[index]?.length ?? 0;
        const norm = k1 * (1 - b + (b * length) / Math.max(1, meanLength));
        return rarity.reduce((sum, { stem, idf }) => {
          const count = counts.get(stem) ?? 0;
          return sum + (idf * count * (k1 + 1)) / (count + norm);
        }, 0);
      });
      return bestPassages(passages, scores, k);
    },
  };
}

const k1 = 1.2;
const b = 0.75;

function idf(holders: number, size: number): number {
  return Math.log(1 + (Math.max(size, holders) - holders + 0.5) / (holders + 0.5));
}

function termCounts(stems: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/**
 * A stemmer that caches the stems of recent texts, since the same passages come up for many
 * queries.
 *
 * @param kept maximum number of cached texts
 */
export function rememberedStems(stemsOf: Stemmer, kept = 4_096): Stemmer {
  const known = new Map<string, readonly string[]>();
  return (texts) => {
    const unknown = [...new Set(texts)].filter((text) => !known.has(text));
    const stems = new Map(zipped(unknown, stemsOf(unknown)));
    const found = texts.map((text) => stems.get(text) ?? known.get(text) ?? []);
    for (const [index, text] of texts.entries()) {
      // Moves the most recent text to the end; eviction starts at the front.
      known.delete(text);
      known.set(text, found[index] ?? []);
    }
    for (const text of known.keys()) {
      if (known.size <= kept) break;
      known.delete(text);
    }
    return found;
  };
}

function zipped<TKey, TValue>(
  keys: readonly TKey[],
  values: readonly TValue[],
): readonly (readonly [TKey, TValue])[] {
  return keys.flatMap((key, index) => {
    const value = values[index];
    return value === undefined ? [] : [[key, value] as const];
  });
}
