import type {
  Embedder,
  LanguageModel,
  PairScorer,
  Reranker,
} from "../../../../src/contract/index.ts";
import {
  rehearsalEmbedder,
  rehearsalLm,
  rehearsalReranker,
  rehearsalScorer,
} from "../model/index.ts";
import type { BodyReader } from "./body-reader.ts";
import type { PrefixCache } from "./prefix-cache.ts";
import { prefixCache } from "./prefix-cache.ts";
import { Refusal } from "./refusal.ts";

/** The models behind one server, under one name. */
export interface Engine {
  readonly model: string;
  /** Tokens of prompt and reply together. */
  readonly maxModelLength: number;
  readonly lm: LanguageModel;
  readonly reranker: Reranker;
  readonly scorer: PairScorer;
  embedder(dimensions: number | undefined): Embedder;
  /** If absent, usage reports `null` for cached tokens, as vLLM does by default. */
  readonly prefixCache: PrefixCache | undefined;
}

export function engineOf({
  model,
  maxModelLength,
  reportsCachedTokens,
}: {
  readonly model: string;
  readonly maxModelLength: number;
  readonly reportsCachedTokens: boolean;
}): Engine {
  return {
    model,
    maxModelLength,
    lm: rehearsalLm({ model }),
    reranker: rehearsalReranker({ model }),
    scorer: rehearsalScorer({ model }),
    embedder: (dimensions) =>
      rehearsalEmbedder({ model, ...(dimensions === undefined ? {} : { dimensions }) }),
    prefixCache: reportsCachedTokens ? prefixCache() : undefined,
  };
}

/** Rejects a model that is not served; a request without a name means the only model. */
export function checkModel(body: BodyReader, { model }: Engine): void {
  const asked = body.text("model");
  if (asked !== undefined && asked !== model) {
    throw new Refusal(404, `The model \`${asked}\` does not exist.`, "model");
  }
}
