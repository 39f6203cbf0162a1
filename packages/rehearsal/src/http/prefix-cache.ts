import { tokenize } from "../model/index.ts";

/** A small model of automatic prefix caching: full blocks of 16 tokens, matched from the start. */
export interface PrefixCache {
  /**
   * Tokens of this prompt that are already cached. `keep` adds its other full blocks, as if they
   * had been computed only then: requests that arrive together all miss.
   */
  visit(prompt: string): { readonly cached: number; readonly keep: () => void };
}

export function prefixCache({
  blockTokens = 16,
  maxBlocks = 200_000,
}: { readonly blockTokens?: number; readonly maxBlocks?: number } = {}): PrefixCache {
  const blocks = new Set<string>();
  const keepAll = (keys: readonly string[]): void => {
    for (const key of keys) {
      // Most recently visited, last dropped.
      blocks.delete(key);
      blocks.add(key);
    }
    for (const oldest of blocks) {
      if (blocks.size <= maxBlocks) break;
      blocks.delete(oldest);
    }
  };
  return {
    visit: (prompt) => {
      const tokens = tokenize(prompt);
      const keys: string[] = [];
      let cached = 0;
      let isPrefix = true;
      let chain = 0;
      // A block can match only if at least one token is left to compute.
      for (let start = 0; start + blockTokens < tokens.length; start += blockTokens) {
        const block = tokens.slice(start, start + blockTokens).join("");
        const key = `${chain}/${block}`;
        chain = hash(key);
        isPrefix &&= blocks.has(key);
        if (isPrefix) cached += blockTokens;
        keys.push(key);
      }
      return { cached, keep: () => keepAll(keys) };
    },
  };
}

function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) {
    value = (value * 31 + text.charCodeAt(index)) % 4_294_967_291;
  }
  return value;
}
