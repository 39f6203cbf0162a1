import type { Embedder } from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";
import type { SingleFlight } from "../../internal/index.ts";
import { singleFlight } from "../../internal/index.ts";

type Embedded = Awaited<ReturnType<Embedder["doEmbed"]>>;

/** Texts whose vectors are kept; beyond it the oldest are forgotten. */
const most = 10_000;

/**
 * Asks for each text once, since a search runs many candidates on the same inputs: equal concurrent
 * calls of one text share a request. Vectors that cannot be used are an error here, and not kept.
 */
export function rememberingEmbedder(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  const inFlight = new Map<string, SingleFlight<Embedded>>();
  const ask: Embedder["doEmbed"] = async (texts, options) => {
    const { vectors, usage } = await embedder.doEmbed(texts, options);
    const checked = checkedVectors(vectors, {
      embedder,
      count: texts.length,
      dimension: undefined,
    });
    for (const [index, text] of texts.entries()) known.set(text, checked[index] ?? checked[0]);
    for (const text of known.keys()) {
      if (known.size <= most) break;
      known.delete(text);
    }
    return { vectors: checked, usage };
  };
  const askOnce = (text: string, signal: AbortSignal | undefined): Promise<Embedded> => {
    const running = inFlight.get(text);
    if (running !== undefined) return running.join(signal);
    const call = singleFlight(
      async (either) => {
        try {
          return await ask([text], either === undefined ? {} : { signal: either });
        } finally {
          if (inFlight.get(text) === call) inFlight.delete(text);
        }
      },
      () => inFlight.delete(text),
    );
    inFlight.set(text, call);
    return call.join(signal);
  };
  return {
    identity: embedder.identity,
    doEmbed: async (texts, options = {}) => {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))];
      const held = new Map(texts.map((text) => [text, known.get(text)]));
      const [first, ...others] = missing;
      const { vectors, usage } =
        first === undefined
          ? { vectors: [], usage: { promptTokens: 0 } }
          : await (others.length === 0 ? askOnce(first, options.signal) : ask(missing, options));
      for (const [index, text] of missing.entries()) held.set(text, vectors[index]);
      return { vectors: texts.flatMap((text) => held.get(text) ?? []), usage };
    },
  };
}
