import type { Embedder } from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";

/** Texts whose vectors are kept; beyond it the oldest are forgotten. */
const most = 10_000;

/**
 * Asks for each text once: a search runs many candidates on the same inputs. Calls in flight are
 * not shared, so that aborting one ends no other. Vectors that cannot be used are an error here.
 */
export function rememberingEmbedder(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  return {
    identity: embedder.identity,
    doEmbed: async (texts, options) => {
      const held = texts.map((text) => known.get(text));
      const asked = texts.filter((_, place) => held[place] === undefined);
      if (asked.length === 0) {
        return { vectors: held.flatMap((vector) => vector ?? []), usage: { promptTokens: 0 } };
      }
      const { vectors, usage } = await embedder.doEmbed(asked, options);
      const count = asked.length;
      const checked = checkedVectors(vectors, { embedder, count, dimension: undefined });
      for (const [place, text] of asked.entries()) known.set(text, checked[place] ?? checked[0]);
      for (const text of known.keys()) {
        if (known.size <= most) break;
        known.delete(text);
      }
      let next = 0;
      return { vectors: held.map((vector) => vector ?? checked[next++] ?? checked[0]), usage };
    },
  };
}
