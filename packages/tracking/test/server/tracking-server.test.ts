import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { failureOf } from "../../../../src/index.ts";
import type { TrackingServerOptions } from "../../src/index.ts";
import { trackingServer } from "../../src/index.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks a server that answers as the test says, with a status and a body for each request. */
async function asked(
  replies: readonly (readonly [status: number, body: string] | "silence")[],
  options: Partial<TrackingServerOptions> = {},
  body: Readonly<Record<string, string>> = {},
) {
  const received: Received[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (piece: string) => (text += piece));
    incoming.on("end", () => {
      received.push({ headers: incoming.headers, body: text });
      const reply = replies[received.length - 1] ?? [200, "{}"];
      if (reply === "silence") return;
      const [status, content] = reply;
      outgoing.writeHead(status, { location: "http://127.0.0.1:9/elsewhere" }).end(content);
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const url = `http://user:pass-word@127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { ask } = trackingServer({ url, baseDelayMs: 1, ...options });
    const outcome = await ask({ method: "POST", path: "/api/x", body }).then(
      (reply) => ({ reply }),
      (error: unknown) => failureOf(error),
    );
    return { received, outcome, url };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("a tracking server", () => {
  it("is asked again after a transient fault", async () => {
    const { received, outcome } = await asked([
      [503, "busy"],
      [429, "slow"],
      [200, '{"a":1}'],
    ]);
    expect(outcome).toEqual({ reply: { a: 1 } });
    expect(received).toHaveLength(3);
  });

  it("is given up after so many faults, with what it said", async () => {
    const replies = Array.from({ length: 9 }, () => [500, "it broke"] as const);
    const { received, outcome } = await asked(replies, { attempts: 3 });
    expect(received).toHaveLength(3);
    expect(outcome).toMatchObject({
      code: "tracking-failed",
      message: expect.stringContaining("HTTP 500: it broke"),
    });
  });

  it("is given up where it does not answer in time", async () => {
    const { outcome } = await asked(["silence"], { attempts: 1, timeoutMs: 50 });
    expect(outcome).toMatchObject({ code: "tracking-failed" });
  });

  it.each([
    [400, "bad name", "HTTP 400: bad name"],
    [401, "who?", "MLFLOW_TRACKING_TOKEN"],
    [302, "", "HTTP 302"],
  ])("that answers %i is asked once", async (status, body, message) => {
    const { received, outcome } = await asked([[status, body]]);
    expect(received).toHaveLength(1);
    expect(outcome).toMatchObject({
      code: "tracking-refused",
      message: expect.stringContaining(message),
    });
  });

  it("that does not know something says so without an error", async () => {
    expect((await asked([[404, "no such run"]])).outcome).toEqual({ reply: null });
  });

  it("receives no secret but in its header, and shows none", async () => {
    const { received, outcome } = await asked(
      [[400, "Bearer t0ken-of-mine pass-word"]],
      {
        headers: { authorization: "Bearer t0ken-of-mine" },
        secrets: ["t0ken-of-mine", "model-key"],
      },
      { text: "the key is model-key, the token t0ken-of-mine" },
    );
    expect(received[0]?.headers.authorization).toBe("Bearer t0ken-of-mine");
    expect(received[0]?.body).toBe('{"text":"the key is [redacted], the token [redacted]"}');
    expect(JSON.stringify(outcome)).not.toMatch(/t0ken|pass-word/);
  });

  it("needs an address of the web", () => {
    expect(() => trackingServer({ url: "file:///mlruns" })).toThrow(/URL of the tracking server/);
  });
});
