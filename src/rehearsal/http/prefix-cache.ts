import { tokenize } from "../model/index.ts";

/** Automatic prefix caching in miniature: full blocks of 16 tokens, equal from the start. */
export interface PrefixCache {
  /** Tokens of this prompt that were there already; from now on all its full blocks are. */
  visit(prompt: string): number;
}

export function prefixCache({
  blockTokens = 16,
  mostBlocks = 200_000,
}: { readonly blockTokens?: number; readonly mostBlocks?: number } = {}): PrefixCache {
  const blocks = new Set<string>();
  return {
    visit: (prompt) => {
      const tokens = tokenize(prompt);
      let cached = 0;
      let isPrefix = true;
      let chain = 0;
      // A block may be found only while at least one token is left to compute.
      for (let start = 0; start + blockTokens < tokens.length; start += blockTokens) {
        const block = tokens.slice(start, start + blockTokens).join("");
        const key = `${chain}/${block}`;
        chain = hash(key);
        isPrefix &&= blocks.has(key);
        if (isPrefix) cached += blockTokens;
        // Visited last, dropped last.
        blocks.delete(key);
        blocks.add(key);
      }
      for (const oldest of blocks) {
        if (blocks.size <= mostBlocks) break;
        blocks.delete(oldest);
      }
      return cached;
    },
  };
}

function hash(text: string): number {
  let value = 7;
  for (let place = 0; place < text.length; place++) {
    value = (value * 31 + text.charCodeAt(place)) % 4_294_967_291;
  }
  return value;
}
