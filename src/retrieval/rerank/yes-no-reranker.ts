import type { LanguageModel, LmRequest, PassageReranker, Sampling } from "../../contract/index.ts";
import { defaultSampling } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import {
  checkCount,
  contentHash,
  lineOrBlock,
  linkedAbort,
  withoutChatTokens,
  withoutTags,
} from "../../internal/index.ts";
import { defaultMaxCharacters, documentText } from "../corpus/document-text.ts";
import { plainPassage } from "../corpus/plain-passage.ts";
import { probabilityOfYes } from "./probability-of-yes.ts";
import { bestPassages, distinctPassages } from "./rerank-order.ts";

export interface YesNoRerankerOptions {
  /**
   * An LM of the reranker's own. What it is asked is in no trace, and outside the run's budget and journal.
   * @default the run's, or that of `RunOptions.lms` under the reranker's name
   */
  readonly lm?: LanguageModel;
  /** What "yes" means; the reply is asked for by the reranker. @default see `defaultQuestion` */
  readonly question?: string;
  /** Name in call paths and traces. @default "yesNo" */
  readonly name?: string;
  /** Code points of a passage that the LM reads; see `documentText`. @default 2000 */
  readonly maxCharacters?: number;
  /** Alternatives asked for at each token; vLLM's cap is 20 unless set otherwise. @default 20 */
  readonly topLogprobs?: number;
  /** Seed of requests to an LM of its own, unsigned 32-bit; the run's LM sets its own. @default 0 */
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
 * @throws EspalierError `option-invalid` without an LM; LmError `lm-unsupported` when the LM gives no log-probabilities; FormatError
 *   `output-invalid` when neither yes nor no is among its likely answers; what the LM throws. One
 *   failed call fails the whole: passages without a score would be ranked by accident.
 */
export function yesNoReranker({
  lm: own,
  question = defaultQuestion,
  name = "yesNo",
  maxCharacters = defaultMaxCharacters,
  topLogprobs = 20,
  seed = 0,
  module,
}: YesNoRerankerOptions = {}): PassageReranker {
  checkCount("maxCharacters", maxCharacters);
  checkCount("topLogprobs", topLogprobs);
  const settings = { ...own?.identity, question, maxCharacters, topLogprobs, seed };
  const requestFor = (query: string, document: string): LmRequest => ({
    messages: [
      { role: "system", content: `${question} Reply with one word: yes or no.` },
      {
        role: "user",
        content: `Query: ${marked(withoutChatTokens(query).trim())}\n\nDocument: ${marked(document)}`,
      },
    ],
    sampling: oneWord,
    seed,
    topLogprobs,
    thinking: false,
  });
  return {
    name,
    version: `2-${contentHash(settings).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRerank: async ({ query, passages: given, k }, { signal, lm: lent }) => {
      checkCount("k", k);
      const lm = own ?? lent ?? noLm(name);
      signal?.throwIfAborted();
      const passages = distinctPassages(given);
      // Fires for the other calls when one fails.
      const either = linkedAbort([signal]);
      const options = { role: "reranking", signal: either.signal } as const;
      const scores = await Promise.all(
        passages.map(async (passage) => {
          try {
            const request = requestFor(query, documentText(plainPassage(passage), maxCharacters));
            const named = { ...options, callPath: passage.id };
            return probabilityOfYes(await lm.doGenerate(request, named), passage.id);
          } catch (error) {
            either.abort(error);
            throw error;
          }
        }),
      ).finally(() => either.release());
      return bestPassages(passages, scores, k);
    },
  };
}

/** No text can then pass for the query, or for another document. */
function marked(text: string): string {
  return lineOrBlock(withoutTags(text));
}

function noLm(name: string): never {
  throw new EspalierError({
    code: "option-invalid",
    problem: `Reranker \`${name}\` has no LM to ask`,
    expected: "the run's LM, as `call.rerank` lends it, or one of its own",
    got: "a call outside a program, of a reranker made without `lm`",
    fix: "Call it through `call.rerank`, or give `yesNoReranker({ lm })`.",
  });
}

/** Some models put white space or a quote before the word. */
const oneWord: Sampling = Object.freeze({ ...defaultSampling, maxCompletionTokens: 4 });
