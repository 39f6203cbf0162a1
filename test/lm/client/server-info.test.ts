import { describe, expect, it } from "vitest";
import { serverInfo } from "../../../src/lm/index.ts";
import { json, raw, vllmServer } from "../../support/vllm-server.ts";

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
