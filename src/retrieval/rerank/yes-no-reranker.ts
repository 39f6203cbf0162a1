import type {
  LanguageModel,
  LmReply,
  LmRequest,
  PassageReranker,
  Sampling,
} from "../../contract/index.ts";
import { alternativesOf, defaultSampling, sharesOf } from "../../contract/index.ts";
import { EspalierError, FormatError, LmError } from "../../errors/index.ts";
import {
  checkCount,
  contentHash,
  lineOrBlock,
  linkedAbort,
  withoutChatTokens,
  withoutTags,
} from "../../internal/index.ts";
import { defaultMaxCharacters, documentText, plainPassage } from "../corpus/document-text.ts";
import { bestPassages, distinctPassages } from "./rerank-order.ts";

export interface YesNoRerankerOptions {
  /**
   * The reranker's own LM. Its requests appear in no trace, and are outside the run's budget and
   * journal. @default the run's LM, or the one in `RunOptions.lms` under the reranker's name
   */
  readonly lm?: LanguageModel;
  /**
   * Defines what "yes" means; the reranker itself adds the request for a reply. @default see
   * `defaultQuestion`
   */
  readonly question?: string;
  /** Name in call paths and traces. @default "yesNo" */
  readonly name?: string;
  /** Maximum number of code points of a passage to send; see `documentText`. @default 2000 */
  readonly maxCharacters?: number;
  /** Number of alternatives to request per token; vLLM's default cap is 20. @default 20 */
  readonly topLogprobs?: number;
  /** Seed of requests to `lm`, unsigned 32-bit; the run's LM sets its own. @default 0 */
  readonly seed?: number;
  readonly module?: string;
}

const defaultQuestion =
  "Does the document hold information that helps to answer the query? Judge by the document alone.";

/**
 * Orders passages by the probability that an LM says yes, in [0, 1]: one greedy call per passage,
 * all started at once (the LM's limit bounds concurrency), without thinking. The query precedes the
 * document, so that the calls for one query share their prefix.
 *
 * @throws EspalierError `option-invalid` without an LM; LmError `lm-unsupported` if the LM returns
 * no log-probabilities; FormatError `output-invalid` if neither yes nor no is among its likely
 * answers; the LM's errors. One failed call fails the whole: passages without a score would be
 * ranked arbitrarily.
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
    doRerank: async ({ query, passages: given, k }, { signal, lm: runLm }) => {
      checkCount("k", k);
      const lm = own ?? runLm ?? noLm(name);
      signal?.throwIfAborted();
      const passages = distinctPassages(given);
      // Aborts the other calls when one fails.
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

/** Delimits a text, so that it cannot imitate the query or another document. */
function marked(text: string): string {
  return lineOrBlock(withoutTags(text));
}

function noLm(name: string): never {
  throw new EspalierError({
    code: "option-invalid",
    problem: `Reranker \`${name}\` has no LM`,
    expected: "the run's LM, which `call.rerank` passes, or its own",
    got: "a call outside a program to a reranker without `lm`",
    fix: "Call it through `call.rerank`, or set `yesNoReranker({ lm })`.",
  });
}

/** Room for white space or a quote, which some models put before the word. */
const oneWord: Sampling = Object.freeze({ ...defaultSampling, maxCompletionTokens: 4 });

/**
 * P(yes) against no at the first token that has letters, from the log-probabilities of its
 * alternatives. Renormalises the reported probabilities, whether before or after masks, over the
 * two labels; spellings of a label (`yes`, ` Yes`, `YES.`) add up.
 *
 * @param passageId for errors
 */
function probabilityOfYes({ logprobs, model, content }: LmReply, passageId: string): number {
  const where = `model \`${model}\`, passage \`${passageId}\``;
  if (logprobs === undefined || logprobs.every(({ top }) => top.length === 0)) {
    throw new LmError({
      code: "lm-unsupported",
      problem: "The LM returned no log-probabilities, which P(yes) requires",
      where,
      expected: "`logprobs` with alternatives in the reply",
      got: "none",
      fix: "Use a server that supports them (vLLM: `--max-logprobs` of at least 20), or another reranker.",
    });
  }
  const token = logprobs.find(({ token }) => labelOf(token) !== "");
  const mass = { yes: 0, no: 0 };
  for (const { token: word, logprob } of token === undefined ? [] : alternativesOf(token)) {
    const label = labelOf(word);
    if (label === "yes" || label === "no") mass[label] += Math.exp(logprob);
  }
  const shares = sharesOf(mass);
  if (shares !== null) return shares.yes;
  throw new FormatError({
    code: "output-invalid",
    problem: "Neither yes nor no is among the LM's likely answers",
    where,
    expected: "yes or no as the first word",
    got: JSON.stringify(content),
    fix: "If the model thinks first, turn off thinking on the server.",
    rawText: content,
  });
}

/** A token's letters, lower-cased: tokenizers mark a leading space with `Ġ` or `▁`. */
function labelOf(token: string): string {
  return token.replaceAll(/[^\p{L}]|Ġ/gu, "").toLowerCase();
}
