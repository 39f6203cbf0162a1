import type { Embedder } from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";
import type { SingleFlight } from "../../internal/index.ts";
import { contentHash, singleFlight } from "../../internal/index.ts";
import type { KeptVectors } from "./kept-vectors.ts";

/** The vectors of queries, each requested only once. */
export interface QueryVectors {
  of(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Resolves when no write is in progress. */
  settle(): Promise<void>;
}

/**
 * Reads vectors from where they are kept, or gets them from the embedder and stores them before
 * use. Equal concurrent queries share one call, but not across processes.
 */
export function queryVectors(
  kept: KeptVectors,
  { embedder, dimension }: { readonly embedder: Embedder; readonly dimension: number },
): QueryVectors {
  const inFlight = new Map<string, SingleFlight<Float32Array>>();
  const checked = (vectors: readonly Float32Array[]): Float32Array =>
    checkedVectors(vectors, { embedder, count: 1, dimension })[0];
  const { provider, model } = embedder.identity;

  return {
    settle: () => kept.settle(),
    of: async (text, givenSignal) => {
      const hash = contentHash({ provider, model, text, format: 1 });
      const key = Buffer.from(hash, "hex");
      const read = kept.get(key);
      // Not awaited where it is at hand, so that an abort at once still reaches the embedder.
      const known = read instanceof Promise ? await read : read;
      if (known !== undefined) return checked([known]);
      const running = inFlight.get(hash);
      if (running !== undefined) return running.join(givenSignal);

      const ask = async (signal: AbortSignal | undefined): Promise<Float32Array> => {
        try {
          const reply = await embedder.doEmbed([text], signal === undefined ? {} : { signal });
          const vector = checked(reply.vectors);
          await kept.keep(key, vector);
          return vector;
        } finally {
          if (inFlight.get(hash) === call) inFlight.delete(hash);
        }
      };
      const call = singleFlight(ask, () => inFlight.delete(hash));
      inFlight.set(hash, call);
      return call.join(givenSignal);
    },
  };
}
