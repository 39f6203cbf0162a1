import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { LmError } from "../../../src/errors/index.ts";
import { openAiCompatible } from "../../../src/lm/index.ts";
import type { Answer, ReceivedRequest } from "../../support/vllm-server.ts";
import {
  chatPath,
  json,
  raw,
  refuse,
  reset,
  stall,
  vllmServer,
} from "../../support/vllm-server.ts";
import { faultOf } from "../fault-of.ts";
import { requestOf } from "../requests.ts";

async function faultFrom(answer: Answer, options: object = {}): Promise<LmError> {
  await using server = await vllmServer();
  server.script(chatPath, answer);
  const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model", ...options });
  return await faultOf(lm.doGenerate(requestOf("hi")));
}

/** Long enough for every cut to fall into a key. */
const quotes = ({ headers }: ReceivedRequest): string => `${headers.authorization} `.repeat(200);

it.each<[string, (said: string) => Answer]>([
  ["a refusal", (said) => refuse(401, said)],
  ["a reply of another shape", (said) => json({ said })],
  ["a reply that is no JSON", (said) => raw(said)],
])("%s that quotes the key does not tell it, nor a part of it", async (_name, answer) => {
  const quoting: Answer = (request, response) => answer(quotes(request))(request, response);
  const error = await faultFrom(quoting, { apiKey: "lm-key-7f3a" });
  expect(inspect(error, { depth: 10 })).toContain("[redacted]");
  expect(inspect(error, { depth: 10 })).not.toContain("lm-k");
});

const shapes = { new: false, old: true };
const tooLong = {
  "the usual phrasing":
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
  "the other phrasing":
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
};

describe("a refusal", () => {
  it.each(Object.entries(shapes))("is read in the %s error shape", async (_name, old) => {
    const error = await faultFrom(refuse(400, "top_k must be -1", "BadRequestError", old));
    expect(error).toMatchObject({ code: "lm-request-refused", status: 400, isRetryable: false });
    expect(error.message).toContain("top_k must be -1");
    expect(error.body).toContain("BadRequestError");
  });

  it.each(Object.entries(tooLong))(
    "of a prompt that does not fit is a format failure: %s",
    async (_name, text) => {
      const error = await faultFrom(refuse(400, text));
      expect(error).toMatchObject({
        code: "lm-context-overflow",
        kind: "format",
        isRetryable: false,
      });
    },
  );

  it.each([422, 409])("with status %i is final", async (status) => {
    expect(await faultFrom(refuse(status, "no"))).toMatchObject({
      code: "lm-request-refused",
      status,
      isRetryable: false,
    });
  });

  it.each([401, 403])("with status %i is about the credentials", async (status) => {
    const error = await faultFrom(json({ error: "Unauthorized" }, status));
    expect(error).toMatchObject({ code: "lm-unauthorized", isRetryable: false });
    expect(error.message).toContain("apiKey");
  });

  it("of a model names those that the server has", async () => {
    await using server = await vllmServer({ model: "Qwen/Qwen3-8B" });
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "qwen" });
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error).toMatchObject({ code: "lm-not-found", isRetryable: false });
    expect(error.message.replace(server.baseUrl, "URL")).toMatchInlineSnapshot(
      `"The server answered with status 404 (at URL). Got: The model \`qwen\` does not exist. The server offers \`Qwen/Qwen3-8B\`."`,
    );
  });

  it("of a route asks for the missing /v1", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({
      baseUrl: server.baseUrl.replace("/v1", ""),
      model: "test-model",
    });
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error.code).toBe("lm-not-found");
    expect(error.message).toContain("Is the base URL missing `/v1`?");
  });

  it("by redirect says where to", async () => {
    const error = await faultFrom(json({}, 307, { location: "https://other.example/v1" }));
    expect(error.code).toBe("lm-not-found");
    expect(error.message).toContain("https://other.example/v1");
  });
});

describe("a fault that may pass", () => {
  it.each([408, 425, 429])("with status %i is a wish to slow down", async (status) => {
    const error = await faultFrom(
      json({ error: { message: "slow" } }, status, { "retry-after": "2" }),
    );
    expect(error).toMatchObject({ code: "lm-rate-limited", isRetryable: true, retryAfterMs: 2000 });
  });

  it("may name a date, which is read against the server's clock", async () => {
    const headers = {
      date: "Sat, 21 Nov 2026 10:00:00 GMT",
      "retry-after": "Sat, 21 Nov 2026 10:00:05 GMT",
    };
    expect(await faultFrom(json({}, 503, headers))).toMatchObject({ retryAfterMs: 5000 });
  });

  it.each([
    [500, "lm-server-error"],
    [501, "lm-server-error"],
    [502, "lm-unavailable"],
    [503, "lm-unavailable"],
    [504, "lm-unavailable"],
  ])("with status %i is the server's: %s", async (status, code) => {
    const error = await faultFrom(raw("<html>bad gateway</html>", "text/html", status));
    expect(error).toMatchObject({ code, status, isRetryable: true });
    expect(error.message).toContain("bad gateway");
  });

  it("is a silence longer than the stall timeout", async () => {
    const error = await faultFrom(stall, { stallTimeoutMs: 50 });
    expect(error).toMatchObject({ code: "lm-stalled", isRetryable: true });
  });

  it("is a reply that stops in the middle of its body", async () => {
    const half: Answer = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"model": ');
    };
    expect(await faultFrom(half, { stallTimeoutMs: 50 })).toMatchObject({ code: "lm-stalled" });
    expect(await faultFrom(half, { stallTimeoutMs: 50, fetch })).toMatchObject({
      code: "lm-stalled",
    });
  });

  it("is a closed connection, before or in the middle of a reply", async () => {
    const half: Answer = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"model": ', () => response.socket?.destroy());
    };
    expect(await faultFrom(reset)).toMatchObject({ code: "lm-unreachable", isRetryable: true });
    expect(await faultFrom(half)).toMatchObject({ code: "lm-unreachable", isRetryable: true });
    expect(await faultFrom(half, { fetch })).toMatchObject({ code: "lm-unreachable" });
  });

  it("is a server that is not there", async () => {
    const server = await vllmServer();
    await server[Symbol.asyncDispose]();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "m" });
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error).toMatchObject({ code: "lm-unreachable", isRetryable: true });
    expect(error.message).toContain(server.baseUrl);
    expect(error.message).toContain("Start the server, or correct the base URL.");
  });

  it("is a host that does not exist", async () => {
    const lm = openAiCompatible({ baseUrl: "http://nowhere.invalid/v1", model: "m" });
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error.code).toBe("lm-unreachable");
    expect(error.message).toContain("Correct the host name in the base URL.");
  });
});

const envelope = (choices: unknown): object => ({
  model: "m",
  choices,
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

describe("a broken envelope", () => {
  it.each<[string, Answer]>([
    ["a web page", raw("<html>hello</html>")],
    ["text declared as JSON", raw("not json", "application/json")],
    ["an empty body", raw("", "application/json")],
    ["a JSON string", json("hello")],
    ["no choices", json({ object: "chat.completion", model: "m" })],
    ["an empty list of choices", json(envelope([]))],
    ["a message of the wrong type", json(envelope([{ message: "x", finish_reason: "stop" }]))],
    [
      "content of the wrong type",
      json(envelope([{ message: { content: 3 }, finish_reason: "stop" }])),
    ],
  ])("is %s", async (_name, answer) => {
    expect(await faultFrom(answer)).toMatchObject({ code: "lm-bad-envelope", isRetryable: true });
  });

  it("is described by what was expected and what came", async () => {
    const error = await faultFrom(json({ object: "chat.completion", model: "m" }));
    expect(error.message.replace(/http:\S+v1/, "URL")).toMatchInlineSnapshot(
      `"The server's reply does not match the protocol (at URL). Expected: choices: Invalid input: expected tuple, received undefined. Got: \`{"object":"chat.completion","model":"m"}\`."`,
    );
  });
});

describe("a base URL", () => {
  it("that is none is refused at once", () => {
    expect(() => openAiCompatible({ baseUrl: "localhost:8000", model: "m" })).toThrow(
      "The base URL cannot be used. Expected: a URL such as `http://127.0.0.1:8000/v1`. Got: `localhost:8000`.",
    );
  });
});
