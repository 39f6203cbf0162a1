import { z } from "zod";
import type {
  JsonObject,
  Passage,
  RankedPassage,
  Retriever,
  RetrieveRequest,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import {
  checkCount,
  checkMilliseconds,
  contentHash,
  credentialsIn,
  foreignJson,
  mebibyte,
  secretMask,
  systemClock,
  withoutCredentials,
} from "../../internal/index.ts";
import { searchExchange } from "./search-exchange.ts";

export interface HttpSearchOptions {
  /** URL of the search route, without a query: `https://search.example/search`. */
  readonly url: string;
  /** @default "query" */
  readonly queryParameter?: string;
  /** Parameter for the number of results. @default "k" */
  readonly countParameter?: string;
  /**
   * Makes each request a POST with this as its JSON body; the URL then holds `parameters` alone.
   * Filters of an engine belong here. @default none: a GET
   */
  readonly body?: (request: RetrieveRequest) => JsonObject;
  /** Further parameters of every request, such as `{ cw22_a: "true" }` for ClueWeb22-A. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Sent with every request, such as `{ "x-api-key": key }`; not part of `version`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Finds the list of results in the reply's JSON. @default its `results` */
  readonly resultsOf?: (reply: unknown) => readonly unknown[] | undefined;
  /** Converts one result to a passage; `undefined` skips it. @default see `passageOfResult` */
  readonly passageOf?: (result: unknown) => Passage | RankedPassage | undefined;
  /** Name in call paths and traces. @default "search" */
  readonly name?: string;
  /**
   * Identifies the searched index, so that results of another index are not confused with these.
   * @default "1"
   */
  readonly version?: string;
  /** Timeout for a whole reply, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number;
  /** Maximum size of a reply, in bytes after decompression. @default 67_108_864 (64 MiB) */
  readonly maxReplyBytes?: number;
  /** Maximum number of requests for one search, including the first. @default 3 */
  readonly attempts?: number;
  /**
   * Delay before the second request, in milliseconds; doubles with each further one. @default 250
   */
  readonly baseDelayMs?: number;
  /**
   * Maximum number of code points of a query to send: servers reject long URLs. @default 1_000, and
   * 10_000 in a `body`
   */
  readonly maxQueryCharacters?: number;
  readonly module?: string;
  /** @default the global one */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  readonly clock?: Clock;
}

/**
 * A search engine behind HTTP: `GET url?query=...&k=...`, JSON back. The defaults are those of
 * DeepResearchGym (Coelho et al. 2025), which serves ClueWeb22 at `/search`, with a key in
 * `x-api-key`, and FineWeb at `/fineweb/search`: `results` is a list of base64 texts that hold one
 * JSON document each. Keeps the server's order; `score` is the server's if every result has one and
 * scores never increase, otherwise 1/rank.
 *
 * Engines that take a POST, such as Elasticsearch and Qdrant, are a `body` with `resultsOf` and
 * `passageOf`.
 *
 * Does not follow redirects, since `headers` may hold a key.
 *
 * @throws EspalierError `option-invalid`; when searching, `search-failed` for a transient fault or
 * an unreadable reply after `attempts` requests, and `search-refused` for any other fault
 */
export function httpSearch({
  url,
  queryParameter = "query",
  countParameter = "k",
  body,
  parameters = {},
  headers = {},
  resultsOf = resultsOfReply,
  passageOf = passageOfResult,
  name = "search",
  version = "1",
  timeoutMs = 60_000,
  maxReplyBytes = 64 * mebibyte,
  attempts = 3,
  baseDelayMs = 250,
  maxQueryCharacters = body === undefined ? 1_000 : 10_000,
  module,
  fetch = (address, init) => globalThis.fetch(address, init),
  clock = systemClock,
}: HttpSearchOptions): Retriever {
  const route = checkedRoute(url);
  checkCount("attempts", attempts);
  checkMilliseconds("timeoutMs", timeoutMs, { least: 1 });
  checkMilliseconds("baseDelayMs", baseDelayMs);
  checkCount("maxReplyBytes", maxReplyBytes);
  checkCount("maxQueryCharacters", maxQueryCharacters);
  const secrets = [...Object.values(headers), ...credentialsIn(url)];
  const masked = secretMask(secrets);
  const exchange = searchExchange({
    read: ranked,
    masked,
    headers,
    timeoutMs,
    maxReplyBytes,
    attempts,
    baseDelayMs,
    fetch,
    clock,
  });
  // A body is known by what it is for one query.
  const asked =
    body === undefined
      ? { queryParameter, countParameter }
      : { body: body({ query: "query", k: 10 }) };
  const settings = { url, ...asked, parameters, version };

  return {
    name,
    version: `1-${contentHash(settings).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRetrieve: async ({ query, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const text = cut(query.toWellFormed().trim(), maxQueryCharacters);
      if (text === "") return [];
      const address = new URL(route);
      const sent =
        body === undefined
          ? { ...parameters, [queryParameter]: text, [countParameter]: String(k) }
          : parameters;
      for (const [key, value] of Object.entries(sent)) address.searchParams.set(key, value);
      const found = await exchange({ url: address, body: body?.({ query: text, k }) }, signal);
      return found.slice(0, k);
    },
  };

  function ranked(reply: unknown): readonly RankedPassage[] {
    const results = resultsOf(reply);
    const passages = results?.flatMap((result) => passageOf(result) ?? []);
    if (passages !== undefined && (passages.length > 0 || results?.length === 0)) {
      return scored(distinct(passages));
    }
    throw new EspalierError({
      code: "search-failed",
      problem: "The search server's reply contains no readable results",
      where: route.origin + route.pathname,
      expected: "a list `results` of documents with an id and a text, as JSON, plain or base64",
      got: `\`${masked(foreignJson(reply)).slice(0, 200)}\``,
      fix: "If its replies have another shape, describe it with `resultsOf` and `passageOf`.",
    });
  }
}

function checkedRoute(url: string): URL {
  const route = URL.parse(url);
  if (route?.protocol === "http:" || route?.protocol === "https:") return route;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The URL of the search server is invalid",
    expected: "`url`, such as `https://search.example/search`",
    got: `\`${withoutCredentials(url)}\``,
  });
}

function distinct<TPassage extends Passage>(passages: readonly TPassage[]): readonly TPassage[] {
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function scored(passages: readonly (Passage | RankedPassage)[]): readonly RankedPassage[] {
  const scores = passages.map((passage) => ("score" in passage ? passage.score : Number.NaN));
  const areUsable = scores.every(
    (score, index) => Number.isFinite(score) && score <= (scores[index - 1] ?? score),
  );
  return passages.map((passage, index) => ({
    ...passage,
    score: (areUsable ? scores[index] : undefined) ?? 1 / (index + 1),
  }));
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : Array.from(text).slice(0, characters).join("");
}

/** The list of results in a search server's reply; `undefined` if it has none. */
function resultsOfReply(reply: unknown): readonly unknown[] | undefined {
  return z.object({ results: z.array(z.unknown()) }).safeParse(reply).data?.results;
}

/**
 * Converts a result that is a JSON document, or its base64, to a passage. Id and text are `id` and
 * `text`, or `ClueWeb22-ID` and `Clean-Text` (records of ClueWeb22, Overwijk et al. 2022); title,
 * URL and date are included if present, the latter two as `metadata.url` and `metadata.date`. Skips
 * results that have no text or are unreadable.
 */
export function passageOfResult(
  result: unknown,
): (Passage & { readonly score?: number }) | undefined {
  const document = documentShape.safeParse(typeof result === "string" ? decoded(result) : result);
  if (!document.success) return undefined;
  const { title, score, date, ...given } = document.data;
  const id = given.id ?? given["ClueWeb22-ID"] ?? given.url ?? given.URL ?? "";
  const text = given.text ?? given["Clean-Text"] ?? "";
  if (id === "" || text.trim() === "") return undefined;
  const url = (given.url ?? given.URL ?? "").trim();
  const metadata: JsonObject = {
    ...(url === "" ? {} : { url }),
    ...(date ? { date } : {}),
  };
  return {
    id,
    ...(title ? { title } : {}),
    text,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(typeof score === "number" ? { score } : {}),
  };
}

const optionalText = z.string().nullish();
const documentShape = z.object({
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  "ClueWeb22-ID": optionalText,
  title: optionalText,
  text: optionalText,
  "Clean-Text": optionalText,
  url: optionalText,
  URL: optionalText,
  date: optionalText,
  score: z.number().nullish(),
});

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
