import { describe, expect, it } from "vitest";
import { connectEmbedder, ledger, limiter } from "espalier/lm";
import { rehearsalEmbedder, serveRehearsal } from "@espalier/rehearsal";
import type { Clock } from "../../../src/internal/index.ts";
import { json, refuse, stall, vllmServer } from "../../support/vllm-server.ts";
import type { Answer } from "../../support/vllm-server.ts";
import { until } from "../requests.ts";
import { textModelContract, textModelKinds } from "./text-model.contract.ts";

const quick = { baseDelayMs: 2, maxDelayMs: 10 };

/** Time stands still, and writes down how long it was asked to. */
function standingClock(): Clock & { readonly pauses: number[] } {
  const pauses: number[] = [];
  return { pauses, now: () => 0, sleep: async (durationMs) => void pauses.push(durationMs) };
}

/** What any of the three routes answers for one text. */
const one: Answer = json({
  data: [{ index: 0, embedding: [1, 2], score: 0.5 }],
  results: [{ index: 0, relevance_score: 0.5 }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
});

for (const kind of textModelKinds) {
  textModelContract(kind.name, kind, (server) => kind.client(server));
  textModelContract(`${kind.name}, retried`, kind, (server) => kind.retried(server, quick));
  textModelContract(`${kind.name}, limited`, kind, (server) => kind.limited(server, limiter(3)));
  textModelContract(`${kind.name}, ledgered`, kind, (server) => kind.ledgered(server, ledger()));
  textModelContract(`${kind.name}, connected`, kind, (server) =>
    kind.connect({ ...server, retry: quick, ledger: ledger() }),
  );
}

describe.each(textModelKinds)("$name with wrappers", (kind) => {
  it("gives the fault-free answers, though every third call is refused or comes broken", async () => {
    const faults = { rateLimit: 0.1, serverError: 0.1, brokenEnvelope: 0.15 };
    await using server = await serveRehearsal({ faults, seed: 8 });
    const book = ledger();
    const model = kind.connect({
      baseUrl: `${server.url}/v1`,
      model: "rehearsal",
      // No call stalls here; one that is slow must not be taken for one that does.
      stallTimeoutMs: 600_000,
      concurrency: 8,
      retry: quick,
      ledger: book,
    });
    const calls = Array.from({ length: 60 }, (_, index) => [`text ${index}`, `another ${index}`]);
    const answers = await Promise.all(calls.map((texts) => model.ask(texts)));
    const expected = await Promise.all(calls.map((texts) => kind.reference.ask(texts)));
    expect(answers).toEqual(expected);

    const { byFault, byEndpoint } = server.calls();
    expect(Object.keys(byFault)).toEqual(
      expect.arrayContaining(["rate-limit", "server-error", "html-page", "wrong-shape"]),
    );
    // What came in full is never asked again.
    expect(byEndpoint[`POST ${kind.path}`]?.repeated).toBe(0);
    const promptTokens = expected.reduce((sum, reply) => sum + reply.promptTokens!, 0);
    const counts = {
      calls: 60,
      failedCalls: 0,
      promptTokens,
      completionTokens: 0,
      cachedPromptTokens: null,
      reasoningTokens: 0,
    };
    const retries = (byEndpoint[`POST ${kind.path}`]?.received ?? 0) - 60;
    expect(retries).toBeGreaterThan(0);
    expect(book.snapshot().byRole).toEqual({
      [kind.role]: { logical: counts, billed: { ...counts, retries } },
    });
  });

  it("ends with a clear error, counted as failed, when the server stays down", async () => {
    await using server = await serveRehearsal({ faults: { serverError: 1 } });
    const book = ledger();
    const model = kind.connect({
      baseUrl: `${server.url}/v1`,
      model: "rehearsal",
      retry: { ...quick, attempts: 3 },
      ledger: book,
    });
    await expect(model.ask(["a"])).rejects.toMatchObject({ code: "lm-server-error", status: 500 });
    expect(server.calls().total).toBe(3);
    const { logical, billed } = book.snapshot().total;
    expect([logical.calls, logical.failedCalls, billed.failedCalls]).toEqual([1, 1, 1]);
  });

  it("asks again after a stall", async () => {
    await using server = await vllmServer();
    server.script(kind.path, stall);
    server.always(kind.path, one);
    const model = kind.connect({
      baseUrl: server.baseUrl,
      model: "m",
      stallTimeoutMs: 100,
      // On a slow machine answers may come too late as well.
      retry: { ...quick, attempts: 50 },
    });
    expect((await model.ask(["a"])).promptTokens).toBe(3);
    expect(server.requests.filter(({ path }) => path === kind.path).length).toBeGreaterThan(1);
  });

  it("says so when the server never answers", async () => {
    await using server = await serveRehearsal({ faults: { stall: 1 } });
    const book = ledger();
    const model = kind.connect({
      baseUrl: `${server.url}/v1`,
      model: "rehearsal",
      stallTimeoutMs: 50,
      retry: { ...quick, attempts: 2 },
      ledger: book,
    });
    await expect(model.ask(["a"])).rejects.toMatchObject({ code: "lm-stalled" });
    const { billed } = book.snapshot().total;
    expect([billed.calls, billed.retries]).toEqual([1, 1]);
  });

  it("waits as long as the server asks", async () => {
    await using server = await vllmServer();
    const clock = standingClock();
    server.script(kind.path, json({}, 429, { "retry-after": "7" }), one);
    const model = kind.retried({ baseUrl: server.baseUrl, model: "m" }, { clock });
    await model.ask(["a"]);
    expect(clock.pauses).toHaveLength(1);
    expect(clock.pauses[0]).toBeGreaterThanOrEqual(7_000);
  });

  it("does not ask again for what was refused as malformed", async () => {
    await using server = await vllmServer();
    server.always(kind.path, refuse(400, "no"));
    const clock = standingClock();
    const model = kind.retried({ baseUrl: server.baseUrl, model: "m" }, { clock });
    await expect(model.ask(["a"])).rejects.toMatchObject({ code: "lm-request-refused" });
    expect(server.requests.filter(({ path }) => path === kind.path)).toHaveLength(1);
    expect(clock.pauses).toEqual([]);
  });

  it("has so many requests in flight and no more, and never sends what was aborted in the queue", async () => {
    await using server = await vllmServer();
    server.script(kind.path, stall, stall);
    server.always(kind.path, one);
    const model = kind.limited({ baseUrl: server.baseUrl, model: "m" }, limiter(2));
    const [running, waiting] = [new AbortController(), new AbortController()];
    const reason = new Error("enough");
    const stalled = [
      model.ask(["a"], { signal: running.signal }),
      model.ask(["b"], { signal: running.signal }),
    ];
    const dropped = model.ask(["c"], { signal: waiting.signal });
    const others = ["d", "e", "f"].map((text) => model.ask([text]));
    await until(() => server.requests.length === 2);
    waiting.abort(reason);
    await expect(dropped).rejects.toBe(reason);
    running.abort(reason);
    for (const call of stalled) await expect(call).rejects.toBe(reason);
    await Promise.all(others);
    expect(server.maxInFlight).toBe(2);
    expect(server.requests).toHaveLength(5);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('"c"');
  });
});

describe("a connected embedder", () => {
  it("asks again for the batch that failed and for no other, and counts each batch", async () => {
    await using server = await vllmServer();
    const vectors: Answer = (request, response) => {
      const data = request.body.input.map((text: string, index: number) => ({
        index,
        embedding: [text.length, 1],
      }));
      json({ data, usage: { prompt_tokens: data.length } })(request, response);
    };
    server.script("/v1/embeddings", vectors, refuse(503, "busy"));
    server.always("/v1/embeddings", vectors);
    const book = ledger();
    const model = connectEmbedder({
      baseUrl: server.baseUrl,
      model: "e",
      encoding: "float",
      batchSize: 2,
      retry: { clock: standingClock() },
      ledger: book,
    });
    const reply = await model.doEmbed(["a", "bb", "ccc", "dddd", "eeeee"]);
    expect(reply.vectors.map(([length]) => length)).toEqual([1, 2, 3, 4, 5]);
    expect(reply.usage).toEqual({ promptTokens: 5 });
    expect(server.requests.map(({ body }) => body.input)).toEqual([
      ["a", "bb"],
      ["ccc", "dddd"],
      ["ccc", "dddd"],
      ["eeeee"],
    ]);
    expect(book.snapshot().byRole.embedding?.billed).toMatchObject({ calls: 3, promptTokens: 5 });
  });

  it.each([0, -1, Number.NaN])("refuses batches of %d texts", (batchSize) => {
    const make = () => connectEmbedder({ baseUrl: "http://127.0.0.1:1/v1", model: "e", batchSize });
    expect(make).toThrow(expect.objectContaining({ code: "option-invalid" }));
  });

  it("keeps the vectors of the rehearsal embedder bit for bit, in either encoding", async () => {
    await using server = await serveRehearsal();
    const texts = ["one", "two words", "and three words"];
    const { vectors } = await rehearsalEmbedder().doEmbed(texts);
    for (const encoding of ["base64", "float"] as const) {
      const baseUrl = `${server.url}/v1`;
      const model = connectEmbedder({ baseUrl, model: "rehearsal", encoding, batchSize: 2 });
      expect((await model.doEmbed(texts)).vectors).toEqual(vectors);
    }
  });
});
