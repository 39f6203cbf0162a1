import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { connect, openAiCompatible } from "espalier/lm";
import { vllmServer } from "../../support/vllm-server.ts";
import { faultOf } from "../fault-of.ts";
import { requestOf } from "../requests.ts";

// The first call loads it, which may take longer than a silence here.
beforeAll(async () => void (await import("openai")));

/** A server that does as the test says with each request's connection. */
async function rawServer(
  answer: (socket: Socket, index: number) => void,
): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const sockets = new Set<Socket>();
  let index = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => answer(socket, index++));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

const body = JSON.stringify({
  model: "m",
  choices: [{ index: 0, message: { content: "Yes." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});
const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const hints = "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
const streams = { "a whole reply": {}, "a stream": { onDelta: () => undefined } };
const endings: Readonly<Record<string, readonly [code: string, (socket: Socket) => void]>> = {
  "a switch of protocols": ["lm-bad-envelope", (socket) => socket.write(switching)],
  "a switch of protocols that ends": ["lm-bad-envelope", (socket) => socket.end(switching)],
  "a switch of protocols without its headers": [
    "lm-bad-envelope",
    (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
  ],
  "hints alone": ["lm-stalled", (socket) => socket.write(hints)],
  "hints, then the end": ["lm-unreachable", (socket) => socket.end(hints)],
  "an end": ["lm-unreachable", (socket) => socket.end()],
  "a reset": ["lm-unreachable", (socket) => socket.resetAndDestroy()],
  "half a reply": ["lm-unreachable", (socket) => socket.end(whole.slice(0, -5))],
  "half a reply, and silence": ["lm-stalled", (socket) => socket.write(whole.slice(0, -5))],
};
const cases = Object.entries(streams).flatMap(([form, options]) =>
  Object.entries(endings).map(([name, [code, end]]) => ({ name, form, options, code, end })),
);

test.each(cases)("$form answered by $name ends, and frees its slot", async (given) => {
  const { options, code, end } = given;
  await using server = await rawServer((socket, index) => {
    if (index === 0) end(socket);
    else socket.write(`${hints}${whole}`);
  });
  await using lm = connect({
    baseUrl: server.baseUrl,
    model: "m",
    concurrency: 1,
    stallTimeoutMs: 200,
    examinationsFolder: null,
    retry: { attempts: 1 },
  });
  expect(await faultOf(lm.doGenerate(requestOf("hi"), options))).toMatchObject({ code });
  await expect(lm.doGenerate(requestOf("hi"))).resolves.toMatchObject({ content: "Yes." });
});

test.each(Object.entries(streams))(
  "%s from a fetch that ignores its signal ends",
  async (_, on) => {
    const fetch = () => new Promise<Response>(() => undefined);
    const lm = openAiCompatible({
      baseUrl: "http://x.test/v1",
      model: "m",
      fetch,
      stallTimeoutMs: 50,
    });
    expect(await faultOf(lm.doGenerate(requestOf("hi"), on))).toMatchObject({ code: "lm-stalled" });
    const caller = new AbortController();
    const asked = lm.doGenerate(requestOf("hi"), { ...on, signal: caller.signal });
    caller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  },
);

test("a stream of a fetch that stops and ignores its signal ends", async () => {
  const stream = (): Response => {
    const begun = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(": begun\n\n")),
    });
    return new Response(begun, { headers: { "content-type": "text/event-stream" } });
  };
  const lm = openAiCompatible({
    baseUrl: "http://x.test/v1",
    model: "m",
    fetch: async () => stream(),
    stallTimeoutMs: 50,
  });
  const asked = lm.doGenerate(requestOf("hi"), { onDelta: () => undefined });
  expect(await faultOf(asked)).toMatchObject({ code: "lm-stalled" });
});

test.each(["\u201csk-1234\u201d", "\uFEFFsk-1234", "sk-12\n34", "sk-12\u000034", "sk-\u20ac1234"])(
  "the key %j, which no header can hold, is refused at once and never told",
  async (apiKey) => {
    await using server = await vllmServer();
    const waits: unknown[] = [];
    const retry = { onWait: (wait: unknown) => waits.push(wait) };
    const base = { baseUrl: server.baseUrl, model: "m", examinationsFolder: null, retry };
    for (const given of [{ apiKey }, { headers: { "x-key": apiKey } }]) {
      await using lm = connect({ ...base, ...given });
      const fault = (await lm
        .doGenerate(requestOf("hi"))
        .catch((error: unknown) => error)) as Error;
      expect(fault).toMatchObject({ code: "option-invalid", kind: "program" });
      expect(fault.message).toMatch(/(The API key|The header `x-key`) contains a character/);
      expect(`${fault.message}${String(fault.cause)}`).not.toContain("sk-");
    }
    expect(waits).toEqual([]);
    expect(server.requests).toEqual([]);
  },
);

test.each(["", " ", "\n"])("the key %j counts as none", async (apiKey) => {
  await using server = await rawServer((socket) => socket.write(whole));
  const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "m", apiKey });
  await expect(lm.doGenerate(requestOf("hi"))).resolves.toMatchObject({ content: "Yes." });
});

test("calls go through the proxy that Node.js has, but to hosts that are excepted", async () => {
  const asked: string[] = [];
  const proxy = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end(body);
  });
  proxy.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const at = `http://user:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const before = http.globalAgent;
  http.globalAgent = new http.Agent({
    proxyEnv: { HTTP_PROXY: at, HTTPS_PROXY: at, NO_PROXY: "127.0.0.1" },
  });
  try {
    await using local = await rawServer((socket) => socket.write(whole));
    const ask = (baseUrl: string) =>
      openAiCompatible({ baseUrl, model: "m" }).doGenerate(requestOf("hi"));
    await expect(ask("http://lm.test:8000/v1")).resolves.toMatchObject({ content: "Yes." });
    await expect(ask(local.baseUrl)).resolves.toMatchObject({ content: "Yes." });
    const fault = await faultOf(ask("https://lm.test/v1"));
    expect(fault.message).toContain("Check the proxy that HTTPS_PROXY names");
    expect(fault.message).not.toContain("secret");
  } finally {
    http.globalAgent = before;
    proxy.closeAllConnections();
    proxy.close();
  }
  expect(asked).toEqual(["POST http://lm.test:8000/v1/chat/completions", "CONNECT lm.test:443"]);
});
