import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { LmCallOptions } from "../../../src/contract/index.ts";
import {
  connectTokenizer,
  embedder,
  openAiCompatible,
  pairScorer,
  replicas,
  reranker,
  withRetry,
  serverInfo,
} from "../../../src/lm/index.ts";
import { endless } from "../../support/endless-answer.ts";
import type { Answer, VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, json, vllmServer } from "../../support/vllm-server.ts";
import { faultOf } from "../fault-of.ts";
import { requestOf } from "../requests.ts";

const kibibyte = "x".repeat(1024);
const small = { model: "test-model", maxReplyBytes: 64 * 1024 };
const tooLarge = { code: "lm-reply-too-large", isRetryable: false, kind: "infrastructure" };

const clientOf = ({ baseUrl }: VllmServer, options: object = {}) =>
  openAiCompatible({ baseUrl, ...small, ...options });

describe("a reply beyond the limit", () => {
  const whole: LmCallOptions = {};
  const streamed: LmCallOptions = { onDelta: () => {} };
  const event = `data: ${JSON.stringify({ model: "m", choices: [{ delta: { content: kibibyte } }] })}\n\n`;

  const declared: Answer = (_request, response) => {
    response.writeHead(200, { "content-length": 2 ** 40 });
    response.write(kibibyte);
  };

  it.each([
    ["that comes whole", whole, endless(kibibyte)],
    ["that says its length", whole, declared],
    [
      "of a stream that nobody asked for",
      whole,
      endless(event, { contentType: "text/event-stream" }),
    ],
    [
      "in one line of a stream",
      streamed,
      endless(kibibyte, { head: "data: ", contentType: "text/event-stream" }),
    ],
    ["in all events of a stream", streamed, endless(event, { contentType: "text/event-stream" })],
    [
      "in comments of a stream",
      streamed,
      endless(`: ${kibibyte}\n`, { contentType: "text/event-stream" }),
    ],
    ["in place of a stream", streamed, endless(kibibyte)],
  ])("%s is one error, and its connection is closed", async (_name, options, answer) => {
    await using server = await vllmServer();
    server.always(chatPath, answer);
    const lm = withRetry(clientOf(server));
    const error = await faultOf(lm.doGenerate(requestOf("hi"), options));
    expect(error).toMatchObject(tooLarge);
    expect(error.message).toContain("Expected: at most 64 KiB");
    expect(server.requests).toHaveLength(1);
    await server.requests[0]?.aborted;
  });

  it("is refused from a `fetch` of the user's own as well, and counted after unpacking", async () => {
    await using server = await vllmServer();
    const packed = gzipSync(Buffer.alloc(10_000_000, 32));
    expect(packed.length).toBeLessThan(small.maxReplyBytes);
    server.script(
      chatPath,
      (_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" });
        response.end(packed);
      },
      endless(kibibyte),
    );
    const lm = clientOf(server, { fetch });
    expect(await faultOf(lm.doGenerate(requestOf("packed")))).toMatchObject(tooLarge);
    expect(await faultOf(lm.doGenerate(requestOf("plain")))).toMatchObject(tooLarge);
    expect((await lm.doGenerate(requestOf("sound"))).content).not.toBeNull();
  });

  it("is refused of every kind of model and of what a server says of itself", async () => {
    await using server = await vllmServer();
    const { baseUrl } = server;
    const options = { baseUrl, ...small };
    for (const path of ["/v1/embeddings", "/v1/rerank", "/v1/score", "/tokenize", "/v1/models"]) {
      server.always(path, endless(kibibyte));
    }
    const pair = { query: "q", documents: ["d"] };
    const calls = [
      () => embedder(options).doEmbed(["a"]),
      () => reranker(options).doRerank(pair),
      () => pairScorer(options).doScore(pair),
      () => connectTokenizer(options).countTokens(["a"]),
      () => serverInfo(options),
    ];
    for (const call of calls) expect(await faultOf(call())).toMatchObject(tooLarge);
  });

  it("is asked of another server where there is one", async () => {
    await using broken = await vllmServer();
    await using sound = await vllmServer();
    broken.always(chatPath, endless(kibibyte));
    sound.always(chatPath, chat({ content: "sound" }));
    const isHealthy = async () => true;
    const lm = replicas([
      { name: "broken", lm: clientOf(broken), isHealthy },
      { name: "sound", lm: clientOf(sound), isHealthy },
    ]);
    for (const text of ["a", "b", "c", "d", "e", "f"]) {
      expect((await lm.doGenerate(requestOf(text))).content).toBe("sound");
    }
  });
});

it("A reply of exactly the limit is read", async () => {
  await using server = await vllmServer();
  const envelope = {
    model: "m",
    choices: [{ message: { content: "" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  };
  const content = "y".repeat(small.maxReplyBytes - JSON.stringify(envelope).length);
  const full = { ...envelope, choices: [{ message: { content }, finish_reason: "stop" }] };
  server.always(chatPath, json(full));
  const request = requestOf("hi");
  expect((await clientOf(server).doGenerate(request)).content).toBe(content);
  const smaller = clientOf(server, { maxReplyBytes: small.maxReplyBytes - 1 });
  expect(await faultOf(smaller.doGenerate(request))).toMatchObject(tooLarge);
});

it.each([
  ["our own fetch", {}],
  ["a fetch of the user's own", { fetch }],
])("A refusal keeps its status, however long its body, with %s", async (_name, options) => {
  await using server = await vllmServer();
  server.always(
    chatPath,
    endless(`overloaded ${kibibyte}`, { contentType: "text/html", status: 503 }),
  );
  const error = await faultOf(clientOf(server, options).doGenerate(requestOf("hi")));
  expect(error).toMatchObject({ code: "lm-unavailable", status: 503 });
  expect(error.message).toContain("overloaded");
  expect(error.message.length).toBeLessThan(2_000);
  await server.requests[0]?.aborted;
});

describe("a reply within the limit", () => {
  it.each([
    ["choices", chatPath, { model: "m", usage: {} }, "choices"],
    ["embeddings", "/v1/embeddings", { usage: {} }, "data"],
  ])("that holds any number of bad %s is told by the first", async (_name, path, base, list) => {
    await using server = await vllmServer();
    const rows = Array.from({ length: 20_000 }, () => 1);
    server.always(path, json({ ...base, [list]: rows }));
    const options = { baseUrl: server.baseUrl, model: "test-model" };
    const call =
      path === chatPath
        ? openAiCompatible(options).doGenerate(requestOf("hi"), { onDelta: () => {} })
        : embedder(options).doEmbed(["a"]);
    const error = await faultOf(call);
    expect(error.code).toBe("lm-bad-envelope");
    expect(error.message.length).toBeLessThan(1_000);
  });

  it("of events with any number of bad choices is told by the first", async () => {
    await using server = await vllmServer();
    const chunk = JSON.stringify({ model: "m", choices: Array.from({ length: 20_000 }, () => 1) });
    server.always(chatPath, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${chunk}\n\n`);
    });
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const error = await faultOf(lm.doGenerate(requestOf("hi"), { onDelta: () => {} }));
    expect(error.code).toBe("lm-bad-envelope");
    expect(error.message.length).toBeLessThan(1_000);
  });

  it.each([200, 400])(
    "that is nested too deeply is a fault of the server, status %i",
    async (status) => {
      await using server = await vllmServer();
      const depth = 100_000;
      server.always(chatPath, (_request, response) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(`{"error":${"[".repeat(depth)}${"]".repeat(depth)}}`);
      });
      const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
      const error = await faultOf(lm.doGenerate(requestOf("hi")));
      expect(error.code).toBe(status === 200 ? "lm-bad-envelope" : "lm-request-refused");
    },
  );

  it("that is nested too deeply beside what is read of it is refused as well", async () => {
    await using server = await vllmServer();
    const nested = `${"[".repeat(300)}${"]".repeat(300)}`;
    const choice = { message: { content: "a" }, finish_reason: "stop" };
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const reply = JSON.stringify({ model: "test-model", choices: [choice], usage });
    const answer: (body: string) => Answer = (body) => (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(body);
    };
    server.script(chatPath, answer(reply), answer(`{"more":${nested},${reply.slice(1)}`));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    expect((await lm.doGenerate(requestOf("hi"))).content).toBe("a");
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error.code).toBe("lm-bad-envelope");
    expect(error.message).toContain("nested more than 200 levels deep");
  });
});

it.each([0, 1.5, -1, Number.NaN, 2 ** 40])("A limit of %d bytes is refused", (maxReplyBytes) => {
  const options = { baseUrl: "http://127.0.0.1:1/v1", model: "m", maxReplyBytes };
  expect(() => openAiCompatible(options)).toThrow("`maxReplyBytes`");
});
