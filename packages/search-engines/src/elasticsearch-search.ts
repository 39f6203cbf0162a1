import { z } from "zod";
import type { JsonObject, RankedPassage, Retriever } from "../../../src/index.ts";
import type { HttpSearchOptions } from "../../../src/retrieval/index.ts";
import { httpSearch } from "../../../src/retrieval/index.ts";

export interface EngineSearchOptions extends Pick<
  HttpSearchOptions,
  | "headers"
  | "name"
  | "version"
  | "timeoutMs"
  | "attempts"
  | "baseDelayMs"
  | "maxQueryCharacters"
  | "module"
  | "fetch"
  | "clock"
> {
  /** Of the server: `http://127.0.0.1:9200`. */
  readonly url: string;
  /** Field with the title; without a value there is none. @default "title" */
  readonly titleField?: string;
  /** Field with the text. @default "text" */
  readonly textField?: string;
}

export interface ElasticsearchSearchOptions extends EngineSearchOptions {
  /** Name of the index or alias. */
  readonly index: string;
  /** A query that hits must match besides: `{ term: { collection: "clapnq" } }`. @default none */
  readonly filter?: JsonObject;
}

/**
 * Passages of an Elasticsearch or OpenSearch index, by the engine's BM25 over title and text. Other
 * fields become metadata. The key of Elastic goes into `headers`, as `authorization: ApiKey ...`.
 *
 * Tested on written exchanges of the search API, not run against the real servers.
 *
 * @throws EspalierError see `httpSearch`
 */
export function elasticsearchSearch({
  url,
  index,
  filter,
  titleField = "title",
  textField = "text",
  name = "elasticsearch",
  ...options
}: ElasticsearchSearchOptions): Retriever {
  return httpSearch({
    ...options,
    name,
    url: `${url.replace(/\/$/, "")}/${encodeURIComponent(index)}/_search`,
    body: ({ query, k }) => ({
      size: k,
      track_total_hits: false,
      query: {
        bool: {
          must: [{ multi_match: { query, fields: [titleField, textField], type: "most_fields" } }],
          ...(filter === undefined ? {} : { filter: [filter] }),
        },
      },
    }),
    resultsOf: (reply) => replyShape.safeParse(reply).data?.hits.hits,
    passageOf: (result) => {
      const hit = hitShape.safeParse(result).data;
      if (hit === undefined) return undefined;
      return passageOfFields(hit._source, {
        id: hit._id,
        score: hit._score,
        titleField,
        textField,
      });
    },
  });
}

/** A passage from an engine's fields; `undefined` without a text. */
export function passageOfFields(
  fields: Readonly<Record<string, unknown>>,
  {
    id,
    score,
    titleField,
    textField,
  }: {
    readonly id: string;
    readonly score: number;
    readonly titleField: string;
    readonly textField: string;
  },
): RankedPassage | undefined {
  const { [titleField]: title, [textField]: text, ...metadata } = fields;
  if (typeof text !== "string") return undefined;
  return {
    id,
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    text,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata: metadata as JsonObject }),
    score,
  };
}

const replyShape = z.object({ hits: z.object({ hits: z.array(z.unknown()) }) });
const hitShape = z.object({
  _id: z.string(),
  _score: z.number(),
  _source: z.record(z.string(), z.unknown()),
});
