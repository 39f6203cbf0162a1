import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatServer, ChatServerOptions, Face } from "espalier/serve";
import { apiKeyFile, newApiKey, openKeyUsage } from "espalier/serve";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { asked, clientOf, served } from "../served.ts";
import type { Reply, Upstream } from "../upstream.ts";
import { answering, upstream } from "../upstream.ts";

const [alice, bob] = [newApiKey("alice"), newApiKey("bob")];
const patience = { timeout: 10_000, interval: 10 };

/** A server with a file of these lines. */
async function keyed(
  lm: Upstream,
  lines: readonly string[],
  options: Partial<ChatServerOptions> = {},
) {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder());
  const path = join(folder.path, "keys");
  const write = (...now: readonly string[]) => writeFile(path, `${now.join("\n")}\n`);
  await write(...lines);
  const log: string[] = [];
  const server = opening.use(
    await served(lm, { keys: apiKeyFile(path), log: (line) => log.push(line), ...options }),
  );
  const opened = opening.move();
  return { server, write, log, folder, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Answers none before it is told to. */
function held(): { readonly reply: Reply; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = answering("There.");
  return {
    release: resolve,
    reply: async (response, request) => {
      await promise;
      await answer(response, request);
    },
  };
}

const ask = (server: ChatServer, { key }: { readonly key: string }, question = "Where?") =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(asked(question)),
  });
const metricsOf = async (server: ChatServer, { key }: { readonly key: string }) =>
  (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text();
const waitingIn = async (server: ChatServer, who: { readonly key: string }) =>
  Number(/espalier_chats_waiting (\d+)/.exec(await metricsOf(server, who))?.[1]);
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;

test("a key has as many requests a minute as its line says, else as the server does", async () => {
  await using lm = await upstream(answering("There."));
  await using held = await keyed(lm, [`${alice.line} requests-per-minute=2`, bob.line], {
    keyLimits: { requestsPerMinute: 3 },
  });
  const { server } = held;
  const first = await ask(server, alice);
  expect(first.status).toBe(200);
  expect(first.headers.get("x-ratelimit-limit-requests")).toBe("2");
  expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("1");
  expect(first.headers.get("x-ratelimit-reset-requests")).toMatch(/^\d+s$/);
  const { response: stream } = await clientOf(server, alice.key)
    .chat.completions.create({ ...asked(), stream: true })
    .withResponse();
  expect(stream.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  const refused = await ask(server, alice);
  expect([refused.status, await codeOf(refused)]).toEqual([429, "rate_limit_exceeded"]);
  expect(refused.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(30);
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await ask(server, bob)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const metrics = await metricsOf(server, alice);
  for (const key of ["alice", "bob"]) {
    expect(metrics).toContain(
      `espalier_key_refused_requests_total{key="${key}",code="rate_limit_exceeded"} 1`,
    );
  }
});

test("the tokens of a day are those that answers used, and a restart forgets none", async () => {
  await using lm = await upstream(answering("There."));
  await using folder = await temporaryFolder();
  const path = join(folder.path, "keys.sqlite");
  const line = `${alice.line} tokens-per-day=25`;
  {
    using keyUsage = openKeyUsage(path);
    await using held = await keyed(lm, [line, bob.line], { keyUsage });
    const first = await ask(held.server, alice);
    expect(first.headers.get("x-ratelimit-limit-tokens")).toBe("25");
    expect(first.headers.get("x-ratelimit-remaining-tokens")).toBe("25");
    expect(await metricsOf(held.server, bob)).toContain(
      'espalier_key_tokens_today{key="alice"} 15',
    );
  }
  using keyUsage = openKeyUsage(path);
  await using held = await keyed(lm, [line, bob.line], { keyUsage });
  const second = await ask(held.server, alice);
  expect(second.headers.get("x-ratelimit-remaining-tokens")).toBe("10");
  const refused = await ask(held.server, alice);
  expect([refused.status, await codeOf(refused)]).toEqual([429, "insufficient_quota"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask(held.server, bob)).status).toBe(200);
  expect(lm.requests).toHaveLength(3);
});

test("a key is answered as many questions at a time as it may, and the others wait", async () => {
  const { reply, release } = held();
  await using lm = await upstream(reply);
  await using door = await keyed(lm, [`${alice.line} concurrency=2`, bob.line]);
  const { server } = door;
  const mine = Array.from({ length: 5 }, () => ask(server, alice));
  await vi.waitFor(async () => expect(await waitingIn(server, bob)).toBe(3), patience);
  const others = ask(server, bob, "Bob?");
  await vi.waitFor(() => expect(lm.requests).toHaveLength(3), patience);
  expect(JSON.stringify(lm.requests.at(-1)?.messages)).toContain("Bob?");
  release();
  const all = await Promise.all([...mine, others]);
  expect(all.map(({ status }) => status)).toEqual(Array(6).fill(200));
});

test("a key that asks two hundred questions at once takes the place of no other", async () => {
  const { reply, release } = held();
  await using lm = await upstream(reply);
  await using door = await keyed(lm, [alice.line, bob.line], { concurrency: 2, queue: 16 });
  const { server } = door;
  const flood = Array.from({ length: 200 }, () => ask(server, alice));
  const first = await Promise.any(
    flood.map(async (each) => {
      const response = await each;
      if (response.status !== 429) throw new Error("It was answered.");
      return response.clone();
    }),
  );
  expect([await codeOf(first), Number(first.headers.get("retry-after"))]).toEqual([
    "key_busy",
    expect.any(Number),
  ]);
  await vi.waitFor(async () => expect(await waitingIn(server, bob)).toBe(8), patience);
  const others = Array.from({ length: 4 }, () => ask(server, bob, "Bob?"));
  await vi.waitFor(async () => expect(await waitingIn(server, bob)).toBe(12), patience);
  release();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(4).fill(200));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  // Turn by turn: behind the two that ran and the one whose turn it was, no two of alice's go before one of bob's.
  const order = lm.requests
    .slice(2)
    .map(({ messages }) => (JSON.stringify(messages).includes("Bob?") ? "b" : "a"))
    .join("");
  expect(order.lastIndexOf("b")).toBeLessThan(9);
});

test("a revoked key is out at once, also with what waits; what is being answered is answered", async () => {
  const { reply, release } = held();
  await using lm = await upstream(reply);
  await using door = await keyed(lm, [alice.line, bob.line], { concurrency: 1 });
  const { server, write, log } = door;
  const running = ask(server, alice);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  const waiting = ask(server, alice);
  const stream = clientOf(server, alice.key).chat.completions.create({ ...asked(), stream: true });
  await vi.waitFor(async () => expect(await waitingIn(server, bob)).toBe(2), patience);
  await write(bob.line);
  const refused = await waiting;
  expect([refused.status, await codeOf(refused)]).toEqual([401, "invalid_api_key"]);
  expect((await ask(server, alice)).status).toBe(401);
  await expect(
    (async () => {
      for await (const _ of await stream);
    })(),
  ).rejects.toMatchObject({ code: "invalid_api_key" });
  release();
  expect((await running).status).toBe(200);
  expect((await ask(server, bob)).status).toBe(200);
  expect(log.join("\n")).toContain('"event":"keys-changed","keys":1,"revoked":["alice"]');
});

test("a malformed file of keys keeps those before it, and the log and /ready tell", async () => {
  await using lm = await upstream(answering("There."));
  await using door = await keyed(lm, [alice.line]);
  const { server, write, log } = door;
  const ready = async () => {
    const response = await fetch(`${server.url}/ready`);
    return [response.status, await response.json()];
  };
  await write("alice sha256:1234");
  expect((await ask(server, alice)).status).toBe(200);
  expect(await ready()).toEqual([200, { status: "ready", checks: { keys: "file-malformed" } }]);
  expect(log.filter((line) => line.includes("keys-unusable"))).toHaveLength(1);
  await write(bob.line);
  expect((await ask(server, alice)).status).toBe(401);
  expect(await ready()).toEqual([200, { status: "ready", checks: {} }]);
});

test("routes are told by which key they are asked, by its name", async () => {
  await using lm = await upstream(answering("There."));
  const seen: unknown[] = [];
  const face: Face = {
    mount: (app, context) => {
      app.get("/who", (c) => c.json({ key: context.keyNameOf(c.req.raw) ?? null }));
    },
  };
  await using door = await keyed(lm, [alice.line], { faces: [face] });
  const response = await fetch(`${door.server.url}/who`, {
    headers: { authorization: `Bearer ${alice.key}` },
  });
  seen.push(await response.json());
  await using open = await served(lm, { faces: [face] });
  seen.push(await (await fetch(`${open.url}/who`)).json());
  expect(seen).toEqual([{ key: "alice" }, { key: null }]);
});
