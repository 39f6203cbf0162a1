import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { RankedPassage, RetrieveRequest } from "espalier";
import { bm25Index, httpSearch } from "espalier/retrieval";
import { searchServer } from "../../support/search-server.ts";
import { retrieverContract } from "../retriever.contract.ts";
import { shelf } from "../shelf.ts";

retrieverContract("a search engine behind HTTP", async () => {
  const stack = new AsyncDisposableStack();
  const index = stack.use(await bm25Index({ corpus: shelf }));
  const server = stack.use(
    await searchServer(async ({ parameters: { query = "", k } }) =>
      index.doRetrieve({ query, k: Number(k) }, {}),
    ),
  );
  const passageOf = (result: unknown): RankedPassage =>
    JSON.parse(Buffer.from(String(result), "base64").toString()) as RankedPassage;
  return {
    retriever: httpSearch({ url: server.url, passageOf }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
});

const request = { query: "iron footbridge", k: 5 };
const quick = { baseDelayMs: 1 };

describe("a search engine behind HTTP", () => {
  it("is asked with query, number, further parameters and headers", async () => {
    await using server = await searchServer(() => []);
    const search = httpSearch({
      url: `${server.url}?lang=en`,
      parameters: { cw22_a: "true" },
      headers: { "x-api-key": "secret" },
    });
    expect(await search.doRetrieve({ query: " où & when? ", k: 3 }, {})).toEqual([]);
    expect(server.received).toMatchObject([
      {
        path: "/search",
        parameters: { lang: "en", query: "où & when?", k: "3", cw22_a: "true" },
        headers: { "x-api-key": "secret" },
      },
    ]);
    const other = httpSearch({ url: server.url, queryParameter: "q", countParameter: "num" });
    await other.doRetrieve(request, {});
    expect(server.received[1]?.parameters).toEqual({ q: "iron footbridge", num: "5" });
  });

  it("is posted a body, and described what the engine's own shape is: Elasticsearch's", async () => {
    const hit = (id: string, score: number) => ({
      _index: "towns",
      _id: id,
      _score: score,
      _source: { title: "Ostrel", body: `Bridge ${id}.`, lang: "en" },
    });
    const hits = {
      total: { value: 2, relation: "eq" },
      max_score: 9,
      hits: [hit("a", 9), hit("b", 4)],
    };
    await using server = await searchServer(() => ({
      body: JSON.stringify({ took: 3, timed_out: false, hits }),
    }));
    const body =
      (lang: string) =>
      ({ query, k }: RetrieveRequest) => ({
        query: { bool: { must: { match: { body: query } }, filter: { term: { lang } } } },
        size: k,
      });
    const shape = {
      resultsOf: (reply: unknown) => (reply as { hits: { hits: unknown[] } }).hits.hits,
      passageOf: (result: unknown) => {
        const { _id: id, _score: score, _source: source } = result as ReturnType<typeof hit>;
        return { id, title: source.title, text: source.body, score };
      },
    };
    const search = httpSearch({
      url: server.url,
      parameters: { preference: "_local" },
      headers: { authorization: "ApiKey secret" },
      body: body("en"),
      ...shape,
    });
    expect(await search.doRetrieve({ query: " iron bridge ", k: 2 }, {})).toEqual([
      { id: "a", title: "Ostrel", text: "Bridge a.", score: 9 },
      { id: "b", title: "Ostrel", text: "Bridge b.", score: 4 },
    ]);
    const [received] = server.received;
    expect(received).toMatchObject({
      method: "POST",
      parameters: { preference: "_local" },
      headers: { "content-type": "application/json", authorization: "ApiKey secret" },
    });
    expect(JSON.parse(received?.body ?? "")).toEqual(body("en")({ query: "iron bridge", k: 2 }));
    // Another filter searches other passages.
    const other = httpSearch({ url: server.url, body: body("de"), ...shape });
    expect(other.version).not.toBe(search.version);
    const long = "bridge ".repeat(400);
    await search.doRetrieve({ query: long, k: 2 }, {});
    expect(server.received[1]?.body).toContain(long.trim());
  });

  it("reads documents as FineWeb and ClueWeb22 give them, in base64 or not", async () => {
    const fineWeb = {
      id: "f1",
      text: "Of iron.",
      url: "https://a.example/1",
      date: "2024-05-01",
      language: "en",
      score: null,
    };
    const clueWeb = {
      "ClueWeb22-ID": "clueweb22-en0000-00-00004",
      URL: "https://b.example/\n",
      "Clean-Text": "Finished in 1902.",
    };
    const plain = { id: 7, title: "Ostrel", text: "A town." };
    const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");
    const results = [base64(fineWeb), clueWeb, base64(plain)];
    await using server = await searchServer(() => ({ body: JSON.stringify({ results }) }));
    expect(await httpSearch({ url: server.url }).doRetrieve(request, {})).toEqual([
      {
        id: "f1",
        text: "Of iron.",
        metadata: { url: "https://a.example/1", date: "2024-05-01" },
        score: 1,
      },
      {
        id: "clueweb22-en0000-00-00004",
        text: "Finished in 1902.",
        metadata: { url: "https://b.example/" },
        score: 1 / 2,
      },
      { id: "7", title: "Ostrel", text: "A town.", score: 1 / 3 },
    ]);
  });

  it("keeps the server's scores where they fall, and else counts ranks", async () => {
    const documents = (scores: readonly number[]) =>
      scores.map((score, index) => ({ id: `p${index}`, text: "t", score }));
    await using server = await searchServer((_, index) =>
      documents(index === 0 ? [3, 3, -1] : [0.1, 0.9]),
    );
    const search = httpSearch({ url: server.url });
    const scoresOf = async () => (await search.doRetrieve(request, {})).map(({ score }) => score);
    expect(await scoresOf()).toEqual([3, 3, -1]);
    expect(await scoresOf()).toEqual([1, 1 / 2]);
  });

  it("leaves out results that cannot be read, and repeated ids", async () => {
    const readable = { id: "p1", text: "t" };
    const results = ["%%%", 7, { id: "p0", text: " " }, readable, { ...readable, text: "again" }];
    await using server = await searchServer(() => ({ body: JSON.stringify({ results }) }));
    expect(await httpSearch({ url: server.url }).doRetrieve(request, {})).toEqual([
      { ...readable, score: 1 },
    ]);
  });

  it("takes other shapes of reply when told how", async () => {
    const body = JSON.stringify({ hits: [{ page: { body: "Of iron.", key: "p1" } }, {}] });
    await using server = await searchServer(() => ({ body }));
    const search = httpSearch({
      url: server.url,
      resultsOf: (reply) => (reply as { readonly hits: readonly object[] }).hits,
      passageOf: (hit) => {
        const { page } = hit as { readonly page?: { readonly body: string; readonly key: string } };
        return page && { id: page.key, text: page.body };
      },
    });
    expect(await search.doRetrieve(request, {})).toEqual([
      { id: "p1", text: "Of iron.", score: 1 },
    ]);
  });

  it("asks again after faults that may pass, and then gives up", async () => {
    await using server = await searchServer((_, index) =>
      index < 2 ? { status: 503, body: "busy" } : [{ id: "p1", text: "t" }],
    );
    expect(await httpSearch({ url: server.url, ...quick }).doRetrieve(request, {})).toHaveLength(1);
    expect(server.received).toHaveLength(3);
    await using down = await searchServer(() => ({ status: 429, body: "slow down" }));
    const search = httpSearch({ url: down.url, ...quick, attempts: 2 });
    await expect(search.doRetrieve(request, {})).rejects.toMatchObject({
      code: "search-failed",
      kind: "infrastructure",
      message: expect.stringMatching(/status 429 .*\/search\).*slow down/),
    });
    expect(down.received).toHaveLength(2);
  });

  it("asks once where the server refuses, and says what a missing key needs", async () => {
    await using server = await searchServer(() => ({ status: 401, body: "no key" }));
    const search = httpSearch({ url: server.url, ...quick });
    await expect(search.doRetrieve(request, {})).rejects.toMatchObject({
      code: "search-refused",
      kind: "program",
      report: { fix: expect.stringContaining("`headers`") },
    });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["what is not JSON", "<html>", "not JSON"],
    ["an empty body", "", "an empty body"],
    ["a reply without results", '{"hits":[]}', "`resultsOf`"],
    ["results of another shape", '{"results":[{"page":1}]}', "`passageOf`"],
  ])("does not take %s for an empty result", async (_, body, said) => {
    await using server = await searchServer(() => ({ body }));
    const search = httpSearch({ url: server.url, ...quick, attempts: 2 });
    await expect(search.doRetrieve(request, {})).rejects.toMatchObject({
      code: "search-failed",
      message: expect.stringContaining(said),
    });
    // The next reply may be one that can be read.
    expect(server.received).toHaveLength(2);
  });

  it("says that a server cannot be reached, or takes too long", async () => {
    const closed = await searchServer(() => []);
    await closed[Symbol.asyncDispose]();
    const gone = httpSearch({ url: closed.url, ...quick });
    await expect(gone.doRetrieve(request, {})).rejects.toMatchObject({
      code: "search-failed",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    await using server = await searchServer(() => "unanswered");
    const slow = httpSearch({ url: server.url, timeoutMs: 20, attempts: 1 });
    await expect(slow.doRetrieve(request, {})).rejects.toThrow("within 20 ms");
  });

  it.each([301, 302, 303, 307, 308])(
    "follows no redirect, so that its key goes nowhere else: status %i",
    async (status) => {
      await using other = await searchServer(() => [{ id: "p1", text: "of another server" }]);
      const location = `${other.url}?query=private`;
      await using server = await searchServer(() => ({ status, body: "", headers: { location } }));
      const headers = { "x-api-key": "secret" };
      // A `fetch` of the user's own may follow redirects whatever it is told.
      for (const own of [{}, { fetch: (url: URL) => fetch(url, { headers }) }]) {
        const search = httpSearch({ url: server.url, headers, ...quick, ...own });
        await expect(search.doRetrieve(request, {})).rejects.toMatchObject({
          code: "search-refused",
          report: {
            problem: "The search server redirected the request; redirects are not followed",
            got: `a redirect to \`${other.url}\``,
            fix: "Set `url` to the redirect's target.",
          },
        });
        expect(other.received).toHaveLength("fetch" in own ? 1 : 0);
      }
    },
  );

  it("reads no reply beyond its limit, counted after unpacking, and asks once", async () => {
    const body = JSON.stringify({ results: [], padding: " ".repeat(10_000_000) });
    const packed = { body: gzipSync(body), headers: { "content-encoding": "gzip" } };
    for (const reply of [{ body }, packed]) {
      await using server = await searchServer(() => reply);
      const search = httpSearch({ url: server.url, ...quick, maxReplyBytes: 100_000 });
      await expect(search.doRetrieve(request, {})).rejects.toMatchObject({
        code: "search-failed",
        message: expect.stringContaining("Expected: at most 97.7 KiB, decompressed."),
      });
      expect(server.received).toHaveLength(1);
      const enough = httpSearch({ url: server.url, maxReplyBytes: body.length });
      expect(await enough.doRetrieve(request, {})).toEqual([]);
    }
  });

  it("tells a refusal by its status and the beginning of its body, however long that is", async () => {
    await using server = await searchServer(() => ({ status: 400, body: "no ".repeat(1_000_000) }));
    await expect(httpSearch({ url: server.url }).doRetrieve(request, {})).rejects.toMatchObject({
      code: "search-refused",
      message: expect.stringMatching(/status 400.*no no/),
    });
  });

  it("refuses an address and counts that cannot be used", () => {
    expect(() => httpSearch({ url: "search.example" })).toThrow("`https://search.example/search`");
    expect(() => httpSearch({ url: "http://127.0.0.1/search", attempts: 0 })).toThrow("`attempts`");
  });

  it("has a version that tells servers and settings apart, but not keys", () => {
    const url = "http://127.0.0.1/search";
    const versionOf = (options: object) => httpSearch({ url, ...options }).version;
    expect(versionOf({ headers: { "x-api-key": "a" } })).toBe(versionOf({}));
    expect(versionOf({ parameters: { cw22_a: "true" } })).not.toBe(versionOf({}));
    expect(versionOf({ version: "2024-12" })).not.toBe(versionOf({}));
  });
});
