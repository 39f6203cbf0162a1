import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import "./no-outside-requests.ts";
import { vllmServer } from "./vllm-server.ts";

describe("the guard against outside requests", () => {
  it("refuses fetch and plain sockets to another machine", async () => {
    await expect(fetch("http://192.0.2.1/")).rejects.toMatchObject({
      cause: { message: expect.stringContaining("192.0.2.1") },
    });
    expect(() => connect({ host: "example.com", port: 443 })).toThrow("example.com");
    expect(() => connect(443, "example.com")).toThrow("example.com");
  });

  it("lets requests to this machine through", async () => {
    await using server = await vllmServer();
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(200);
  });
});
