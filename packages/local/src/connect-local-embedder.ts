import { availableParallelism } from "node:os";
import type { LlamaEmbeddingContext, Token } from "node-llama-cpp";
import type { Embedder } from "../../../src/contract/index.ts";
import { allOrAbort, checkCount, orAborted, semaphore } from "../../../src/internal/index.ts";
import { EspalierError } from "../../../src/errors/index.ts";
import type { Ledger } from "../../../src/lm/index.ts";
import { aroundTextModel, countCalls } from "../../../src/lm/index.ts";
import type { LocalOptions } from "./connect-local.ts";
import { isEncoder, loadModel } from "./llama-engine.ts";
import { modelFile } from "./models/model-file.ts";
import { wordPieceText } from "./word-piece-text.ts";

export interface LocalEmbedderOptions extends Pick<LocalOptions, "threads" | "pull"> {
  /** As for `connectLocal`: `minilm-l6`, a GGUF file's path, or `hf:OWNER/REPO/FILE.gguf`. */
  readonly model: string;
  /** Texts in work at a time, each in a context of its own. @default the cores, at most 4 */
  readonly concurrency?: number;
  readonly ledger?: Ledger;
}

export interface LocalEmbedder extends Embedder, AsyncDisposable {}

/**
 * An embedder inside this process, on the CPU, by llama.cpp: no server, no key. Vectors have length
 * 1. A text's vector does not depend on the texts beside it. Of a text longer than what the model
 * was trained on, or than 2,048 tokens, the beginning counts alone.
 *
 * @example
 * await using embedder = await connectLocalEmbedder({ model: "minilm-l6" });
 * @throws EspalierError as `connectLocal`; `option-invalid` for what is no embedder
 */
export async function connectLocalEmbedder({
  model: name,
  concurrency = Math.min(availableParallelism(), 4),
  threads = Math.max(1, Math.floor(availableParallelism() / concurrency)),
  ledger,
  pull,
}: LocalEmbedderOptions): Promise<LocalEmbedder> {
  checkCount("concurrency", concurrency);
  checkCount("threads", threads);
  const { llama, model, identity } = await loadModel(await modelFile(name, pull));
  if (!isEncoder(model) && model.fileInfo.architectureMetadata.pooling_type === undefined) {
    await model.dispose();
    throw noEmbedder(identity.model);
  }
  const size = Math.min(model.trainContextSize, maxTokens);
  const free: LlamaEmbeddingContext[] = [];
  for (let index = 0; index < concurrency; index += 1) {
    // It refuses what fills its context, and pools what one batch holds.
    const context = { contextSize: size + 1, batchSize: size + 1, threads };
    free.push(await model.createEmbeddingContext(context));
  }
  const contexts = [...free];
  const places = semaphore(concurrency);
  const isWordPiece = model.vocabularyType === llama.LlamaVocabularyType.wpm;
  const nothing = [model.tokens.bos ?? model.tokens.eos].filter((token) => token !== null);

  const tokensOf = (text: string): readonly Token[] => {
    const tokens = model.tokenize(isWordPiece ? wordPieceText(text) : text);
    // Two surround them.
    return tokens.length === 0 ? nothing : tokens.slice(0, size - 2);
  };
  const embed = (text: string, signal: AbortSignal) =>
    places.run(async () => {
      signal.throwIfAborted();
      const context = free.pop() as LlamaEmbeddingContext;
      try {
        const tokens = [...tokensOf(text)];
        const { vector } = await context.getEmbeddingFor(tokens);
        return { vector: unit(vector), tokens: context.calculateInputLength(tokens) };
      } finally {
        free.push(context);
      }
    });

  const embedder: Embedder = {
    identity,
    doEmbed: async (texts, { signal = new AbortController().signal } = {}) => {
      signal.throwIfAborted();
      // The text under way goes on; its context is free when it has ended.
      const rows = await orAborted(allOrAbort(texts, signal, embed), signal);
      const promptTokens = rows.reduce((sum, { tokens }) => sum + tokens, 0);
      return { vectors: rows.map(({ vector }) => vector), usage: { promptTokens } };
    },
  };
  return {
    ...(ledger === undefined
      ? embedder
      : aroundTextModel(embedder, countCalls(ledger, "embedding"))),
    [Symbol.asyncDispose]: async () => {
      await places.idle();
      for (const context of contexts) await context.dispose();
      await model.dispose();
    },
  };
}

const maxTokens = 2048;

function noEmbedder(model: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `"${model}" cannot embed text`,
    expected: "an embedder: a GGUF file whose metadata specifies a pooling type",
    fix: "Connect a language model with `connectLocal()` or `--lm local:MODEL`.",
  });
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
