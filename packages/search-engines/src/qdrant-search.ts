import { z } from "zod";
import type { Embedder, JsonObject, Retriever } from "../../../src/index.ts";
import { checkedVectors, httpSearch } from "../../../src/retrieval/index.ts";
import { checkCount, contentHash } from "../../../src/internal/index.ts";
import type { EngineSearchOptions } from "./elasticsearch-search.ts";
import { passageOfFields } from "./elasticsearch-search.ts";

export interface QdrantSearchOptions extends EngineSearchOptions {
  /** Name of the collection. */
  readonly collection: string;
  /** The one that made the collection's vectors. */
  readonly embedder: Embedder;
  /** Prefix of each query; some models are trained with one. @default "" */
  readonly queryPrefix?: string;
  /** Of several vectors of a point, the one to compare. @default the unnamed one */
  readonly vectorName?: string;
  /** Field of the payload with the passage's id. @default the point's id */
  readonly idField?: string;
  /**
   * Qdrant's filter: `{ must: [{ key: "collection", match: { value: "clapnq" } }] }`.
   * @default none
   */
  readonly filter?: JsonObject;
}

/**
 * Passages of a Qdrant collection, by the vectors of an embedder; title, text and metadata come
 * from each point's payload. The key goes into `headers`, as `api-key`.
 *
 * Tested on written exchanges of `POST /collections/NAME/points/query` (Qdrant 1.10 and newer), not
 * run against the real server.
 *
 * @throws EspalierError see `httpSearch`; the embedder's errors
 */
export function qdrantSearch({
  url,
  collection,
  embedder,
  queryPrefix = "",
  vectorName,
  idField,
  filter,
  titleField = "title",
  textField = "text",
  name = "qdrant",
  ...options
}: QdrantSearchOptions): Retriever {
  const searchFor = (vector: readonly number[]): Retriever =>
    httpSearch({
      ...options,
      name,
      url: `${url.replace(/\/$/, "")}/collections/${encodeURIComponent(collection)}/points/query`,
      body: ({ k }) => ({
        query: vector,
        limit: k,
        with_payload: true,
        ...(vectorName === undefined ? {} : { using: vectorName }),
        ...(filter === undefined ? {} : { filter }),
      }),
      resultsOf: (reply) => replyShape.safeParse(reply).data?.result.points,
      passageOf: (result) => {
        const point = pointShape.safeParse(result).data;
        if (point === undefined) return undefined;
        const { [idField ?? ""]: own = point.id, ...payload } = point.payload;
        const { score } = point;
        return passageOfFields(payload, { id: String(own), score, titleField, textField });
      },
    });
  const { version } = searchFor([]);
  return {
    ...searchFor([]),
    version: `1-${contentHash({ version, queryPrefix, ...embedder.identity }).slice(0, 12)}`,
    doRetrieve: async ({ query, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      if (query.trim() === "") return [];
      const given = signal === undefined ? {} : { signal };
      const { vectors } = await embedder.doEmbed([queryPrefix + query], given);
      const [vector] = checkedVectors(vectors, { embedder, count: 1, dimension: undefined });
      return searchFor(Array.from(vector)).doRetrieve({ query, k }, given);
    },
  };
}

const replyShape = z.object({ result: z.object({ points: z.array(z.unknown()) }) });
const pointShape = z.object({
  id: z.union([z.string(), z.number()]),
  score: z.number(),
  payload: z.record(z.string(), z.unknown()),
});
