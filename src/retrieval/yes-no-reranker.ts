import type { LanguageModel, LmRequest, PassageReranker } from "../contract/index.ts";
import { contentHash } from "../internal/index.ts";
import { checkCount } from "./check-options.ts";
import { defaultMaxCharacters, documentText } from "./document-text.ts";
import { probabilityOfYes } from "./probability-of-yes.ts";
import { bestPassages, distinctPassages } from "./rerank-order.ts";

export interface YesNoRerankerOptions {
  readonly lm: LanguageModel;
  /** What "yes" means; the reply is asked for by the reranker. @default see `defaultQuestion` */
  readonly question?: string;
  /** Name in call paths and traces. @default "yesNo" */
  readonly name?: string;
  /** Code points of a passage that the LM reads; see `documentText`. @default 2000 */
  readonly maxCharacters?: number;
  /** Alternatives asked for at each token; vLLM's cap is 20 unless set otherwise. @default 20 */
  readonly topLogprobs?: number;
  /** Seed of the requests, unsigned 32-bit. @default 0 */
  readonly seed?: number;
  readonly module?: string;
}

const defaultQuestion =
  "Does the document hold information that helps to answer the query? Judge by the document alone.";

/**
 * Passages ordered by how likely an LM says yes, in [0, 1]: one greedy call for each passage, all at
 * once (how many run side by side is the LM's limit), without thinking. The query stands before the
 * document, so that the calls for one query share their prefix.
 *
 * @throws LmError `lm-unsupported` when the LM gives no log-probabilities; FormatError
 *   `output-invalid` when neither yes nor no is among its likely answers; what the LM throws. One
 *   failed call fails the whole: passages without a score would be ranked by accident.
 */
export function yesNoReranker({
  lm,
  question = defaultQuestion,
  name = "yesNo",
  maxCharacters = defaultMaxCharacters,
  topLogprobs = 20,
  seed = 0,
  module,
}: YesNoRerankerOptions): PassageReranker {
  checkCount("maxCharacters", maxCharacters);
  checkCount("topLogprobs", topLogprobs);
  const settings = { ...lm.identity, question, maxCharacters, topLogprobs, seed };
  const requestFor = (query: string, document: string): LmRequest => ({
    messages: [
      { role: "system", content: `${question} Reply with one word: yes or no.` },
      { role: "user", content: `Query: ${query.trim()}\n\nDocument:\n${document}` },
    ],
    sampling: oneWord,
    seed,
    topLogprobs,
    thinking: false,
  });
  return {
    name,
    version: `1-${contentHash(settings).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRerank: async ({ query, passages: given, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const passages = distinctPassages(given);
      // Fires for the other calls when one fails.
      const failed = new AbortController();
      const options = {
        role: "reranking",
        signal: signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]),
      } as const;
      const scores = await Promise.all(
        passages.map(async (passage) => {
          try {
            const request = requestFor(query, documentText(passage, maxCharacters));
            return probabilityOfYes(await lm.doGenerate(request, options), passage.id);
          } catch (error) {
            failed.abort(error);
            throw error;
          }
        }),
      );
      return bestPassages(passages, scores, k);
    },
  };
}

/** Some models put white space or a quote before the word. */
const oneWord: LmRequest["sampling"] = Object.freeze({
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  maxCompletionTokens: 4,
  stop: Object.freeze([]),
});
