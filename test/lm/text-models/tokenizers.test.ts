import { describe, expect, it } from "vitest";
import type { Tokenizer } from "espalier";
import { serveRehearsal } from "@espalier/rehearsal";
import { connectTokenizer, estimatingTokenizer } from "../../../src/lm/index.ts";
import type { Answer } from "../../support/vllm-server.ts";
import { json, refuse, stall, vllmServer } from "../../support/vllm-server.ts";
import { until } from "../requests.ts";

const texts = ["The bridge of Ostrel.", "", "北港", "The bridge of Ostrel.", "🗼 tower"];

/** One token a character, and one for the start of the text if it is wanted. */
const characters: Answer = (request, response) => {
  const { prompt, add_special_tokens: isWanted = true } = request.body;
  const tokens = [...prompt].map((_, index) => index);
  const count = tokens.length + (isWanted ? 1 : 0);
  json({ count, max_model_len: 4_096, tokens, token_strs: null })(request, response);
};

describe("a connected tokenizer", () => {
  it("counts each text by itself, in order, without special tokens", async () => {
    await using server = await vllmServer();
    server.always("/tokenize", characters);
    const tokenizer = connectTokenizer({ baseUrl: server.baseUrl, model: "test-model" });
    expect(await tokenizer.countTokens(texts)).toEqual([21, 0, 2, 21, 7]);
    expect(tokenizer.identity).toEqual({ provider: "vllm", model: "test-model" });
    expect(server.requests.map(({ body }) => body.prompt).toSorted()).toEqual(
      [texts[0], texts[2], texts[4]].toSorted(),
    );
    expect(server.requests[0]?.body).toMatchObject({ model: "test-model" });
  });

  it("agrees with the rehearsal server's own count", async () => {
    await using server = await serveRehearsal();
    const tokenizer = connectTokenizer({ baseUrl: `${server.url}/v1/`, model: "rehearsal" });
    // Words with the space before them, in pieces of six bytes at most, and other characters.
    expect(await tokenizer.countTokens(["The bridge of Ostrel.", ""])).toEqual([7, 0]);
  });

  it("asks for no text twice, but for those it no longer keeps", async () => {
    await using server = await vllmServer();
    server.always("/tokenize", characters);
    const options = { baseUrl: server.baseUrl, model: "test-model", concurrency: 1 };
    const tokenizer = connectTokenizer({ ...options, keptCounts: 2 });
    for (const text of ["a", "bb", "a", "ccc", "bb", "a"]) await tokenizer.countTokens([text]);
    expect(server.requests.map(({ body }) => body.prompt)).toEqual(["a", "bb", "ccc", "a"]);
  });

  it("asks again after a fault that may pass, and no more at once than it may", async () => {
    await using server = await vllmServer();
    server.always("/tokenize", characters);
    server.script("/tokenize", refuse(503, "loading"), refuse(429, "slow down"));
    const tokenizer = connectTokenizer({
      baseUrl: server.baseUrl,
      model: "test-model",
      concurrency: 3,
      retry: { baseDelayMs: 1 },
    });
    const many = Array.from({ length: 20 }, (_, index) => "x".repeat(index + 1));
    expect(await tokenizer.countTokens(many)).toEqual(many.map(({ length }) => length));
    expect(server.requests).toHaveLength(22);
    expect(server.maxInFlight).toBeLessThanOrEqual(3);
  });

  it("says what is wrong with a server that has no tokenizer, or another protocol", async () => {
    await using server = await vllmServer();
    const count = async (model = "test-model"): Promise<unknown> =>
      connectTokenizer({ baseUrl: server.baseUrl, model }).countTokens(["a"]);
    await expect(count()).rejects.toMatchObject({
      code: "lm-not-found",
      report: { fix: expect.stringMatching(/no `http:.*\/tokenize`; is it the right kind/) },
    });
    server.script("/tokenize", refuse(404, "The model `other` does not exist."));
    await expect(count("other")).rejects.toMatchObject({
      code: "lm-not-found",
      report: { fix: "The server offers `test-model`." },
    });
    server.always("/tokenize", json({ tokens: [1, 2] }));
    const once = connectTokenizer({
      baseUrl: server.baseUrl,
      model: "m",
      retry: { attempts: 1 },
    });
    await expect(once.countTokens(["a"])).rejects.toMatchObject({ code: "lm-bad-envelope" });
  });

  it("rejects with the reason of a signal, before and while it asks", async () => {
    await using server = await vllmServer();
    server.always("/tokenize", stall);
    const tokenizer = connectTokenizer({ baseUrl: server.baseUrl, model: "m" });
    const reason = new Error("enough");
    const early = tokenizer.countTokens(["a", "b"], { signal: AbortSignal.abort(reason) });
    await expect(early).rejects.toBe(reason);
    const controller = new AbortController();
    const late = tokenizer.countTokens(["a", "b"], { signal: controller.signal });
    await until(() => server.requests.length > 0);
    controller.abort(reason);
    await expect(late).rejects.toBe(reason);
  });

  it("refuses to keep a part of a count", () => {
    const options = { baseUrl: "http://127.0.0.1:1/v1", model: "m", keptCounts: 1.5 };
    expect(() => connectTokenizer(options)).toThrow("`keptCounts`");
  });
});

describe("an estimating tokenizer", () => {
  it("takes three bytes of UTF-8 for a token, unless told otherwise", async () => {
    const count = (tokenizer: Tokenizer) => tokenizer.countTokens(["abcd", "", "北港"]);
    expect(await count(estimatingTokenizer())).toEqual([2, 0, 2]);
    expect(await count(estimatingTokenizer({ bytesPerToken: 4 }))).toEqual([1, 0, 2]);
    expect(() => estimatingTokenizer({ bytesPerToken: 0 })).toThrow("`bytesPerToken`");
  });
});
