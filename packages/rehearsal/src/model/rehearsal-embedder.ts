import type { Embedder } from "../../../../src/contract/index.ts";
import type { TextReader } from "../text/index.ts";
import { textReader } from "../text/index.ts";
import { countTokens } from "./tokenizer.ts";

export interface RehearsalEmbedderOptions {
  /** @default "rehearsal" */
  readonly model?: string;
  /** Length of the vectors. @default 384 */
  readonly dimensions?: number;
}

/**
 * Lexical vectors of length 1: stems, pairs of adjacent stems and letter trigrams of content words,
 * hashed to signed dimensions. Texts without any word get the first axis in place of the zero
 * vector.
 */
export function rehearsalEmbedder({
  model = "rehearsal",
  dimensions = 384,
}: RehearsalEmbedderOptions = {}): Embedder {
  const reader = textReader();
  return {
    identity: { provider: "rehearsal", model },
    doEmbed: async (texts, { signal } = {}) => {
      signal?.throwIfAborted();
      return {
        vectors: texts.map((text) => embed(text, dimensions, reader)),
        usage: { promptTokens: texts.reduce((sum, text) => sum + countTokens(text), 0) },
      };
    },
  };
}

function embed(text: string, dimensions: number, reader: TextReader): Float32Array {
  const vector = new Float32Array(dimensions);
  const counts = new Map<string, number>();
  const count = (feature: string, weight: number): void => {
    counts.set(feature, (counts.get(feature) ?? 0) + weight);
  };
  let before = "";
  for (const { stem, kind } of reader.words(text)) {
    count(`word ${stem}`, kind === "content" ? 1 : 0.15);
    if (kind !== "content") continue;
    count(`pair ${before} ${stem}`, 0.4);
    for (let index = 0; index + 3 <= stem.length; index++) {
      count(`part ${stem.slice(index, index + 3)}`, 0.12);
    }
    before = stem;
  }
  for (const [feature, weight] of counts) {
    const hash = fnv1a(feature);
    const index = hash % dimensions;
    vector[index] = (vector[index] ?? 0) + (hash >>> 31 === 0 ? 1 : -1) * Math.sqrt(weight);
  }
  return normalised(vector);
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) return Float32Array.from(vector, (_, index) => (index === 0 ? 1 : 0));
  return vector.map((value) => value / length);
}

/** FNV-1a, 32 bits (G. Fowler, L. C. Noll, K.-P. Vo), over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
