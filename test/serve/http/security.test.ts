import type { IncomingMessage } from "node:http";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { Readable } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { expect, test } from "vitest";
import { apiKeys, apiKeysInClear, newApiKey, pageAdapter } from "espalier/serve";
import { thrownBy } from "../../support/thrown-by.ts";
import { answering, upstream } from "../upstream.ts";
import { asked, clientOf, served } from "../served.ts";

const json = { "content-type": "application/json" };

test("without a key, or with a wrong one, nothing but /health and /ready is answered", async () => {
  const { key, line } = newApiKey("alice");
  const lines: string[] = [];
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, {
    keys: apiKeys(`# who\n${line}\n`, "keys"),
    log: (written) => lines.push(written),
  });
  const wrong = `esp-${"x".repeat(43)}`;
  await expect(clientOf(server, wrong).chat.completions.create(asked())).rejects.toMatchObject({
    status: 401,
    code: "invalid_api_key",
    type: "authentication_error",
  });
  for (const path of ["/v1/models", "/v1/chat/completions", "/metrics", "/none"]) {
    const response = await fetch(`${server.url}${path}`);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  }
  for (const path of ["/health", "/ready"]) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(200);
  }
  const reply = await clientOf(server, key).chat.completions.create(asked());
  expect(reply.choices[0]?.message.content).toBe("There.");
  expect(lines.join("\n")).not.toContain(wrong);
  expect(lines.join("\n")).not.toContain(key);
  expect(lm.requests).toHaveLength(1);
});

test("keys are kept as hashes, and weak or malformed ones are refused without being shown", async () => {
  const { key, line } = newApiKey("alice");
  expect(key).toMatch(/^esp-[\w-]{43}$/);
  expect(line).not.toContain(key.slice(4));
  expect(apiKeys(line, "keys").nameOf(`Bearer ${key}`)).toBe("alice");
  const inClear = apiKeysInClear(`${key}, ${"k".repeat(32)}`, "KEYS");
  expect(inClear.nameOf(`bearer ${"k".repeat(32)}`)).toMatch(/^key-[0-9a-f]{8}$/);
  const errors = [
    await thrownBy(() => apiKeysInClear("hunter2", "KEYS")),
    await thrownBy(() => apiKeys("alice hunter2", "keys")),
  ];
  expect(errors.map(({ code }) => code)).toEqual(["option-invalid", "file-malformed"]);
  expect(errors.map(String).join()).not.toContain("hunter2");
});

test("a key in clear keeps its name when the keys before it go", () => {
  const [first, second] = ["a".repeat(32), "b".repeat(32)];
  const both = apiKeysInClear(`${first},${second}`, "KEYS");
  const one = apiKeysInClear(second, "KEYS");
  const authorization = `Bearer ${second}`;
  expect(one.nameOf(authorization)).toBe(both.nameOf(authorization));
  expect(both.names).not.toContain("key-1");
  expect(new Set(both.names).size).toBe(2);
});

test("what a request may not be is refused with the part that is at fault", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { maxBytes: 2_000 });
  const post = async (body: string, headers: Record<string, string> = json) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers,
      body,
    });
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    return [response.status, error["code"], error["param"]];
  };
  const send = (body: object) => post(JSON.stringify(body));
  const results = {
    notJson: await post("{"),
    otherType: await post(JSON.stringify(asked()), { "content-type": "text/plain" }),
    large: await send(asked("x".repeat(3_000))),
    deep: await post(`{"model":${"[".repeat(40)}${"]".repeat(40)}}`),
    notUtf8: await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: json,
      body: new Uint8Array([0x22, 0xff, 0x22]),
    }).then(({ status }) => status),
    noModel: await send({ messages: asked().messages }),
    otherModel: await send({ ...asked(), model: "none\r\nset-cookie: a=b" }),
    otherVersion: await send({ ...asked(), model: "at-once@../../etc" }),
    noMessages: await send({ model: "at-once", messages: [] }),
    noQuestion: await send({ model: "at-once", messages: [{ role: "system", content: "Hi" }] }),
    image: await send({
      model: "at-once",
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }],
    }),
    tools: await send({ ...asked(), tools: [{}] }),
    several: await send({ ...asked(), n: 2 }),
    prototype: await post('{"__proto__":{"model":"at-once"},"messages":[]}'),
  };
  expect(results).toEqual({
    notJson: [400, "invalid_json", null],
    otherType: [415, "unsupported_media_type", null],
    large: [413, "request_too_large", null],
    deep: [400, "json_too_deep", null],
    notUtf8: 400,
    noModel: [400, "invalid_parameter", "model"],
    otherModel: [404, "model_not_found", "model"],
    otherVersion: [404, "model_not_found", "model"],
    noMessages: [400, "invalid_parameter", "messages"],
    noQuestion: [400, "invalid_parameter", "messages"],
    image: [400, "unsupported_parameter", "messages[0].content[0]"],
    tools: [400, "unsupported_parameter", "tools"],
    several: [400, "unsupported_parameter", "n"],
    prototype: [400, "invalid_parameter", "model"],
  });
  const brackets = await clientOf(server).chat.completions.create(asked(`${"[".repeat(40)} "`));
  expect(brackets.choices).toHaveLength(1);
});

test("a body that does not say how long it is, is read no further than the limit", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { maxBytes: 2_000 });
  const { hostname, port } = new URL(server.url);
  const status = await new Promise<number | undefined>((done, failed) => {
    const outgoing = request(
      { hostname, port, method: "POST", path: "/v1/chat/completions", headers: json },
      (response) => {
        response.resume();
        outgoing.destroy();
        done(response.statusCode);
      },
    );
    outgoing.on("error", failed);
    for (let count = 0; count < 50; count += 1) outgoing.write("x".repeat(1_000));
  });
  expect(status).toBe(413);
});

test("whoever sends a request drop by drop is cut off, and the others are served meanwhile", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { requestTimeoutMs: 3_000 });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let heard = "";
  socket.on("data", (data) => (heard += data.toString()));
  socket.on("error", () => undefined);
  socket.write("POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\n");
  const drops = setInterval(() => socket.write("x-a: b\r\n"), 50);
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  const reply = await clientOf(server).chat.completions.create(asked());
  expect(reply.choices[0]?.message.content).toBe("There.");
  await closed;
  clearInterval(drops);
  expect(heard).toContain("408");
});

test("a web page may ask only where its origin is allowed", async () => {
  await using lm = await upstream(answering("There."));
  const preflight = async (url: string) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "OPTIONS",
      headers: { origin: "https://chat.example", "access-control-request-method": "POST" },
    });
    return response.headers.get("access-control-allow-origin");
  };
  await using shut = await served(lm);
  await using open = await served(lm, {
    origins: ["https://chat.example"],
    keys: apiKeysInClear("k".repeat(40), "KEYS"),
  });
  expect(await preflight(shut.url)).toBeNull();
  expect(await preflight(open.url)).toBe("https://chat.example");
});

/** The status, body and headers of a request that names this host. */
async function under(
  url: string,
  host: string,
  { path = "/v1/models", method = "GET", body = "" } = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: object }> {
  const { hostname, port } = urlToHttpOptions(new URL(url));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { ...json, host, origin: `http://${host}` };
  const outgoing = request({ hostname, port, method, path, headers }, resolve);
  outgoing.on("error", reject).end(body);
  const incoming = await promise;
  const text = await new Response(Readable.toWeb(incoming) as ReadableStream).text();
  return { status: incoming.statusCode ?? 0, text, headers: incoming.headers };
}

test("without keys a server of this machine is asked under its own names alone, whatever name a web page gave its address", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { origins: ["*"], adapters: [pageAdapter()] });
  const { port } = new URL(server.url);
  for (const host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`, "[::1]", "127.8.9.1:80"]) {
    expect([host, (await under(server.url, host)).status]).toEqual([host, 200]);
  }
  const chat = {
    path: "/v1/chat/completions",
    method: "POST",
    body: JSON.stringify(asked()),
  };
  const preflight = { path: chat.path, method: "OPTIONS" };
  const others = ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "localhost.a"];
  for (const host of others) {
    for (const route of [{}, { path: "/" }, { path: "/metrics" }, chat, preflight]) {
      const { status, text, headers } = await under(server.url, host, route);
      expect([host, route, status]).toEqual([host, route, 421]);
      expect(JSON.parse(text)).toMatchObject({
        error: { code: "host_not_allowed", type: "invalid_request_error", param: null },
      });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  }
  expect(lm.requests).toEqual([]);
  const { text } = await under(server.url, "localhost", { path: "/metrics" });
  expect(text).toContain('{status="421",code="host_not_allowed"} 20');
});

test("a server of this machine is known by the address it listens to, however that was written", async () => {
  await using lm = await upstream(answering("There."));
  // Some containers have no IPv6.
  const interfaces = Object.values(networkInterfaces()).flat();
  const hasIpv6 = interfaces.some((each) => each?.address === "::1");
  const ofIpv6 = ["::ffff:127.0.0.1", "0:0:0:0:0:0:0:1", "::1"];
  for (const host of ["127.1", "LOCALHOST", ...(hasIpv6 ? ofIpv6 : [])]) {
    await using server = await served(lm, { host });
    const { port, hostname, host: shown } = new URL(server.url);
    const reached = `http://${hostname.includes(":ffff:") ? "127.0.0.1" : hostname}:${port}`;
    const names = ["evil.example", `127.0.0.1:${port}`, shown];
    const statuses = names.map(async (name) => (await under(reached, name)).status);
    expect([host, ...(await Promise.all(statuses))]).toEqual([host, 421, 200, 200]);
  }
});

test("further hosts are named, and a server with keys is asked under any name unless some are", async () => {
  await using lm = await upstream(answering("There."));
  const keys = apiKeysInClear("k".repeat(40), "KEYS");
  const hosts = ["Chat.example", "[fd00::1]"];
  await using named = await served(lm, { hosts });
  await using everywhere = await served(lm, { hosts, host: "0.0.0.0" });
  await using keyed = await served(lm, { keys });
  await using both = await served(lm, { keys, hosts });
  // All addresses are this machine's too.
  const urlOf = ({ url }: { readonly url: string }) => url.replace("0.0.0.0", "127.0.0.1");
  const statuses = async (server: { readonly url: string }) =>
    Promise.all(
      ["127.0.0.1", "chat.example:443", "[FD00::1]", "evil.example"].map(
        async (host) => (await under(urlOf(server), host)).status,
      ),
    );
  expect(await statuses(named)).toEqual([200, 200, 200, 421]);
  expect(await statuses(everywhere)).toEqual([200, 200, 200, 421]);
  expect(await statuses(keyed)).toEqual([401, 401, 401, 401]);
  expect(await statuses(both)).toEqual([401, 401, 401, 421]);
  for (const path of ["/health", "/ready"]) {
    for (const server of [named, everywhere, both]) {
      expect((await under(urlOf(server), "10.1.2.3:8000", { path })).status).toBe(200);
    }
  }
  for (const wrong of ["https://chat.example", "chat.example:443", "a b", ""]) {
    const error = await thrownBy(() => served(lm, { hosts: [wrong] }));
    expect(error).toMatchObject({ code: "option-invalid" });
  }
});

test("the log tells how a question ended, without question, answer or secrets", async () => {
  const lines: string[] = [];
  await using lm = await upstream((response) => {
    response.writeHead(401).end(JSON.stringify({ error: { message: "bad key lm-secret-1234" } }));
  });
  await using server = await served(lm, {
    log: (line) => lines.push(line),
    secrets: ["lm-secret-1234"],
  });
  const error: unknown = await clientOf(server)
    .chat.completions.create(asked("Where is my wallet?"))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 500, code: "lm_unauthorized" });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    event: "chat",
    model: "at-once",
    version: "declared",
    status: 500,
    lmCalls: 1,
    failure: "lm-unauthorized",
  });
  for (const secret of ["lm-secret-1234", "wallet"]) {
    expect(`${lines.join()}${String(error)}`).not.toContain(secret);
  }
});
