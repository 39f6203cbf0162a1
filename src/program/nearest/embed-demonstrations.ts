import type { Demonstration, DemonstrationVectors, Embedder } from "../../contract/index.ts";
import { checkedVectors } from "../../contract/index.ts";
import { textsHashOf } from "./checked-nearest.ts";
import { inputsText } from "./inputs-text.ts";
import { vectorText } from "./vector-text.ts";

/**
 * The vectors by which `nearest` chooses among demonstrations: those of their inputs.
 *
 * @example
 * const by = await embedDemonstrations(pool, { embedder });
 * const answerer = predict(answer, { demos: pool, nearest: { k: 4, by }, embedder });
 *
 * @param demonstrations at least 1
 * @throws EspalierError `embedding-invalid`; the embedder's errors
 */
export async function embedDemonstrations(
  demonstrations: readonly Demonstration[],
  { embedder, signal }: { readonly embedder: Embedder; readonly signal?: AbortSignal },
): Promise<DemonstrationVectors> {
  signal?.throwIfAborted();
  const { provider, model } = embedder.identity;
  const { vectors } = await embedder.doEmbed(
    demonstrations.map(({ inputs }) => inputsText(inputs)),
    signal === undefined ? {} : { signal },
  );
  const count = demonstrations.length;
  const checked = checkedVectors(vectors, { embedder, count, dimension: undefined });
  return Object.freeze({
    embedder: Object.freeze({ provider, model }),
    dimension: checked[0].length,
    textsHash: textsHashOf(demonstrations),
    vectors: Object.freeze(checked.map(vectorText)),
  });
}
