import { inspect } from "node:util";
import OpenAI, { AzureOpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { connect, connectEmbedder, examineServer, ledger, serverInfo } from "espalier/lm";
import type { LmError } from "../../src/errors/index.ts";
import { chat, chatPath, json, refuse, reset, stall, vllmServer } from "../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "./language-model.contract.ts";
import { endless } from "../support/endless-answer.ts";
import { faultOf } from "./fault-of.ts";
import { requestOf } from "./requests.ts";

const quick = { retry: { baseDelayMs: 1, maxDelayMs: 2 }, examinationsFolder: null };

languageModelContract("connect over a client of the user's own", async () => {
  const server = await vllmServer();
  server.always(chatPath, contractAnswer);
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "k" });
  const lm = connect({ client, model: "test-model", ...quick });
  return {
    lm,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await lm[Symbol.asyncDispose]();
    },
  };
});

describe("a client of the user's own", () => {
  it("sends each request with its base URL, headers, credentials, query and fetch", async () => {
    await using server = await vllmServer();
    const urls: string[] = [];
    const client = new OpenAI({
      baseURL: server.baseUrl,
      apiKey: async () => "key-of-now",
      organization: "org-7",
      defaultHeaders: { "x-team": "blue" },
      defaultQuery: { region: "north" },
      fetch: (url, init) => {
        urls.push(url instanceof Request ? url.url : url.toString());
        return fetch(url, init);
      },
    });
    server.always(`${chatPath}?region=north`, chat({ content: "yes" }));
    await using lm = connect({ client, model: "m", ...quick });
    expect((await lm.doGenerate(requestOf("hi"))).content).toBe("yes");
    expect(urls).toEqual([`${server.baseUrl}/chat/completions?region=north`]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: "Bearer key-of-now",
      "openai-organization": "org-7",
      "x-team": "blue",
    });
  });

  it("of Azure asks the deployment with its api-version and api-key", async () => {
    await using server = await vllmServer();
    const endpoint = server.baseUrl.replace("/v1", "");
    const client = new AzureOpenAI({ endpoint, apiKey: "azure-key", apiVersion: "2026-02-01" });
    const chats = "/openai/deployments/gpt-6/chat/completions?api-version=2026-02-01";
    const vectors = "/openai/deployments/ada-4/embeddings?api-version=2026-02-01";
    server.always(chats, chat({ content: "yes" }));
    server.always(vectors, json({ data: [{ index: 0, embedding: [1, 2] }], usage: {} }));
    await using lm = connect({ client, model: "gpt-6", dialect: "openai", ...quick });
    expect((await lm.doGenerate(requestOf("hi"))).content).toBe("yes");
    const embedder = connectEmbedder({
      baseUrl: client.baseURL,
      client,
      model: "ada-4",
      encoding: "float",
    });
    expect((await embedder.doEmbed(["a"])).vectors).toEqual([Float32Array.of(1, 2)]);
    expect(server.requests.map(({ path }) => path)).toEqual([chats, vectors]);
    for (const { headers } of server.requests) {
      expect(headers["api-key"]).toBe("azure-key");
      expect(headers.authorization).toBeUndefined();
    }
  });

  it("streams, and is asked what it offers", async () => {
    await using server = await vllmServer({ model: "m" });
    const { baseUrl } = server;
    const client = new OpenAI({ baseURL: baseUrl, apiKey: "k" });
    await using lm = connect({ client, model: "m", ...quick });
    const pieces: string[] = [];
    const reply = await lm.doGenerate(requestOf("hi"), {
      onDelta: ({ content }) => pieces.push(content ?? ""),
    });
    expect(pieces.join("")).toBe(reply.content);
    expect((await serverInfo({ baseUrl, client, model: "m" })).models).toMatchObject([{ id: "m" }]);
    const examinedAt = "2026-11-22T00:00:00Z";
    const examined = await examineServer({ baseUrl, client, model: "m", examinedAt });
    expect(examined.capabilities.chat.state).toBe("supported");
  });

  it("retries nothing by itself: each request is in our ledger", async () => {
    await using server = await vllmServer();
    server.script(
      chatPath,
      refuse(429, "slow"),
      refuse(500, "no"),
      reset,
      chat({ content: "yes" }),
    );
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "k", maxRetries: 5 });
    const book = ledger();
    await using lm = connect({ client, model: "m", ledger: book, ...quick });
    expect((await lm.doGenerate(requestOf("hi"))).content).toBe("yes");
    expect(server.requests).toHaveLength(4);
    expect(book.snapshot().total.billed.retries).toBe(3);
  });

  it("keeps the limits of every route", async () => {
    await using server = await vllmServer();
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "k" });
    const of = (more: object) =>
      connect({ client, model: "m", retry: { attempts: 1 }, examinationsFolder: null, ...more });
    server.script(chatPath, endless("x".repeat(1_024)), stall, stall);
    const large = faultOf(of({ maxReplyBytes: 10_000 }).doGenerate(requestOf("a")));
    expect((await large).code).toBe("lm-reply-too-large");
    const options = { stallTimeoutMs: 50 };
    expect((await faultOf(of(options).doGenerate(requestOf("b")))).code).toBe("lm-stalled");
    const streamed = of(options).doGenerate(requestOf("c"), { onDelta: () => {} });
    expect((await faultOf(streamed)).code).toBe("lm-stalled");
  });

  it("follows no redirect, which could carry the key elsewhere", async () => {
    await using server = await vllmServer();
    await using elsewhere = await vllmServer();
    const location = `${elsewhere.baseUrl}/chat/completions`;
    server.always(chatPath, json({}, 307, { location }));
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "k" });
    await using lm = connect({ client, model: "m", ...quick });
    expect((await faultOf(lm.doGenerate(requestOf("a")))).message).toContain(location);
    expect(elsewhere.requests).toEqual([]);
  });

  it("stands alone: options that it brings along are refused", () => {
    const client = new OpenAI({ baseURL: "http://127.0.0.1:1/v1", apiKey: "k" });
    const both = { client, model: "m", baseUrl: "http://127.0.0.1:2/v1", apiKey: "k" };
    expect(() => connect(both)).toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: \`client\` cannot be combined with options that it already sets. Expected: \`client\` without \`baseUrl\`, \`baseUrls\`, \`apiKey\`, \`headers\` and \`fetch\`. Got: \`baseUrl\`, \`apiKey\`.]`,
    );
  });
});

describe.each(["our own transport", "a client of the user's own"])("faults over %s", (over) => {
  async function faultFrom(
    answer: Parameters<Awaited<ReturnType<typeof vllmServer>>["script"]>[1],
    more: object = {},
    onDelta?: () => void,
  ): Promise<LmError> {
    await using server = await vllmServer();
    server.always(chatPath, answer);
    const options =
      over === "our own transport"
        ? { baseUrl: server.baseUrl, apiKey: "lm-key-7f3a" }
        : { client: new OpenAI({ baseURL: server.baseUrl, apiKey: "lm-key-7f3a" }) };
    const lm = connect({
      ...options,
      model: "m",
      retry: { attempts: 1 },
      examinationsFolder: null,
      ...more,
    });
    return await faultOf(lm.doGenerate(requestOf("hi"), { ...(onDelta && { onDelta }) }));
  }

  it.each([
    [400, OpenAI.BadRequestError],
    [401, OpenAI.AuthenticationError],
    [403, OpenAI.PermissionDeniedError],
    [404, OpenAI.NotFoundError],
    [409, OpenAI.ConflictError],
    [422, OpenAI.UnprocessableEntityError],
    [429, OpenAI.RateLimitError],
    [503, OpenAI.InternalServerError],
    [418, OpenAI.APIError],
  ])("with status %i have the SDK's own error as their cause", async (status, kind) => {
    const { cause } = await faultFrom(
      json({ error: { message: "said so", type: "t", code: "c" } }, status, {
        "x-request-id": "r-1",
      }),
    );
    expect(cause).toBeInstanceOf(kind);
    expect(cause).toBeInstanceOf(OpenAI.APIError);
    expect(cause).toMatchObject({ status, code: "c", type: "t", requestID: "r-1" });
    expect((cause as Error).message).toBe(`${status} said so`);
  });

  it("without a reply are the SDK's errors of connection", async () => {
    const { cause } = await faultFrom(reset);
    expect(cause).toBeInstanceOf(OpenAI.APIConnectionError);
    const silence = await faultFrom(stall, { stallTimeoutMs: 50 });
    expect(silence.code).toBe("lm-stalled");
    expect(silence.cause).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  });

  it("inside a stream are the SDK's too", async () => {
    const error = await faultFrom(
      (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end('data: {"error":{"message":"engine died","code":500}}\n\n');
      },
      {},
      () => {},
    );
    expect(error).toMatchObject({ code: "lm-server-error", status: 500 });
    expect(error.cause).toBeInstanceOf(OpenAI.APIError);
    expect((error.cause as Error).message).toBe("engine died");
  });

  it("do not tell the key that a server quotes", async () => {
    const error = await faultFrom((request, response) =>
      json({ error: { message: `sent ${request.headers.authorization}` } }, 401, {
        "x-echo": String(request.headers.authorization),
      })(request, response),
    );
    expect(error.cause).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(inspect(error, { depth: 10 })).toContain("[redacted]");
    expect(inspect(error, { depth: 10 })).not.toContain("lm-key");
  });
});
