import type { PassageReranker, Reranker } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount, contentHash, withoutChatTokens } from "../../internal/index.ts";
import { defaultMaxCharacters, documentText, plainPassage } from "../corpus/document-text.ts";
import { bestPassages, distinctPassages } from "./rerank-order.ts";

export interface ModelRerankerOptions {
  /** A reranking model, such as `reranker` of `espalier/lm`, which calls `/v1/rerank`. */
  readonly reranker: Reranker;
  /** Name in call paths and traces. @default "reranker" */
  readonly name?: string;
  /** Maximum number of code points of a passage to send; see `documentText`. @default 2000 */
  readonly maxCharacters?: number;
  readonly module?: string;
}

/**
 * Orders passages with a reranking model, which reads title and text; one call for all passages.
 */
export function modelReranker({
  reranker,
  name = "reranker",
  maxCharacters = defaultMaxCharacters,
  module,
}: ModelRerankerOptions): PassageReranker {
  checkCount("maxCharacters", maxCharacters);
  const { provider, model } = reranker.identity;
  return {
    name,
    version: `1-${contentHash({ provider, model, maxCharacters }).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRerank: async ({ query, passages: given, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const passages = distinctPassages(given);
      if (passages.length === 0) return [];
      const documents = passages.map((passage) =>
        documentText(plainPassage(passage), maxCharacters),
      );
      const { results } = await reranker.doRerank(
        { query: withoutChatTokens(query), documents },
        signal === undefined ? {} : { signal },
      );
      const scores = new Map(results.map(({ index, score }) => [index, score]));
      return bestPassages(
        passages,
        passages.map((passage, index) => {
          const score = scores.get(index);
          if (score !== undefined && Number.isFinite(score)) return score;
          throw new EspalierError({
            code: "lm-bad-envelope",
            problem: "The reranker did not score a passage",
            where: `${provider}, model \`${model}\`, passage \`${passage.id}\``,
            expected: "a finite score for every document",
            got: String(score),
          });
        }),
        k,
      );
    },
  };
}
