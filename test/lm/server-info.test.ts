import { describe, expect, it } from "vitest";
import { probeCapabilities, serverInfo } from "../../src/lm/index.ts";
import type { Answer, ReceivedRequest } from "../support/vllm-server.ts";
import { chat, chatPath, json, raw, vllmServer } from "../support/vllm-server.ts";

describe("what a server says of itself", () => {
  it("is its models, version and health", async () => {
    await using server = await vllmServer();
    expect(await serverInfo({ baseUrl: server.baseUrl })).toEqual({
      models: [{ id: "test-model", maxModelLength: 4096 }],
      version: "0.27.1",
      isHealthy: true,
    });
  });

  it("is less where a server has no such routes", async () => {
    await using server = await vllmServer();
    server.always("/version", raw("no", "text/plain", 404));
    server.always("/health", raw("no", "text/plain", 404));
    server.always("/v1/models", json({ object: "list", data: [{ id: "gpt" }] }));
    expect(await serverInfo({ baseUrl: server.baseUrl })).toEqual({
      models: [{ id: "gpt", maxModelLength: null }],
      version: null,
      isHealthy: null,
    });
  });

  it("may be that it is ill", async () => {
    await using server = await vllmServer();
    server.always("/health", raw("", "text/plain", 503));
    expect(await serverInfo({ baseUrl: server.baseUrl })).toMatchObject({ isHealthy: false });
  });

  it("may be that it lacks the model", async () => {
    await using server = await vllmServer();
    await expect(serverInfo({ baseUrl: server.baseUrl, model: "gpt" })).rejects.toMatchObject({
      code: "lm-not-found",
      report: {
        problem: "The server does not offer the model `gpt`",
        fix: "It offers `test-model`.",
      },
    });
  });

  it("is an error early when there is no server, or something else is there", async () => {
    await using server = await vllmServer();
    server.always("/v1/models", raw("<html>hello</html>"));
    const { baseUrl } = server;
    await expect(serverInfo({ baseUrl })).rejects.toMatchObject({ code: "lm-bad-envelope" });
    await server[Symbol.asyncDispose]();
    await expect(serverInfo({ baseUrl })).rejects.toMatchObject({ code: "lm-unreachable" });
  });
});

const obedient: Answer = chat(({ body }: ReceivedRequest) => {
  const word = body.response_format?.json_schema.schema.properties.word.enum[0];
  if (word !== undefined) return { content: JSON.stringify({ word }) };
  return { content: body.structured_outputs?.choice[0] ?? "yes" };
});

/** Answers 200 to everything and does nothing of what it does not know. */
const ignorant: Answer = (request, response) =>
  chat({ content: "yes" })(
    { ...request, body: { ...request.body, logprobs: undefined } },
    response,
  );

describe("a capability probe", () => {
  it("finds what a server does", async () => {
    await using server = await vllmServer();
    server.always(chatPath, obedient);
    server.always("/tokenize", json({ count: 3, max_model_len: 4096, tokens: [1, 2, 3] }));
    const options = { baseUrl: server.baseUrl, model: "test-model" };
    expect(await probeCapabilities(options)).toEqual({
      jsonSchema: true,
      choice: true,
      logprobs: true,
      tokenize: true,
      maxModelLength: 4096,
      version: "0.27.1",
    });
  });

  it("is not deceived by a server that ignores what it does not know", async () => {
    await using server = await vllmServer();
    server.always(chatPath, ignorant);
    const options = { baseUrl: server.baseUrl, model: "test-model" };
    expect(await probeCapabilities(options)).toMatchObject({
      jsonSchema: false,
      choice: false,
      logprobs: false,
      tokenize: false,
    });
  });

  it("takes a fault of the line for no answer", async () => {
    await using server = await vllmServer();
    server.always(chatPath, json({}, 503));
    const options = { baseUrl: server.baseUrl, model: "test-model" };
    await expect(probeCapabilities(options)).rejects.toMatchObject({ code: "lm-server-error" });
  });
});
