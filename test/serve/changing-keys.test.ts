import { request } from "node:http";
import type { ProtocolAdapter } from "espalier/serve";
import { expect, test, vi } from "vitest";
import { asked, clientOf, served } from "./served.ts";
import { answering, upstream } from "./upstream.ts";
import { alice, ask, bob, codeOf, held, keyed, patience, waitingIn } from "./keyed.ts";

test("a key that asks two hundred questions at once takes the place of no other", async () => {
  const { reply, release } = held();
  await using lm = await upstream(reply);
  await using door = await keyed(lm, [alice.line, bob.line], { concurrency: 2, queue: 16 });
  const { server } = door;
  let refusals = 0;
  const flood = Array.from({ length: 200 }, async () => {
    const response = await ask(server, alice);
    if (response.status === 429) refusals += 1;
    return response;
  });
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
  // Two run and eight wait: none of the flood is still on its way.
  await vi.waitFor(() => expect(refusals).toBe(190), patience);
  expect(await waitingIn(server, bob)).toBe(8);
  const others = Array.from({ length: 4 }, () => ask(server, bob, "Bob?"));
  await vi.waitFor(async () => expect(await waitingIn(server, bob)).toBe(12), patience);
  release();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(4).fill(200));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  // Turn by turn: behind the two that ran and the one whose turn it was, no two of alice's go
  // before one of bob's.
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

test("a key that is revoked while a body is on its way gets no answer", async () => {
  await using lm = await upstream(answering("There."));
  await using door = await keyed(lm, [alice.line, bob.line]);
  const { server, write, log } = door;
  const status = Promise.withResolvers<number | undefined>();
  const body = JSON.stringify(asked());
  const slow = request(
    `${server.url}/v1/chat/completions`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": body.length,
        authorization: `Bearer ${alice.key}`,
        expect: "100-continue",
      },
    },
    (response) => status.resolve(response.resume().statusCode),
  );
  const begun = new Promise((done) => slow.once("continue", done));
  slow.on("error", status.reject);
  slow.write(body.slice(0, 5));
  await begun;
  await write(bob.line);
  await vi.waitFor(() => expect(log.join()).toContain("keys-changed"), patience);
  slow.end(body.slice(5));
  expect(await status.promise).toBe(401);
  expect(lm.requests).toHaveLength(0);
});

test("the last key is revoked by an empty file, and lets somebody in again when it has a line", async () => {
  await using lm = await upstream(answering("There."));
  await using door = await keyed(lm, [alice.line]);
  const { server, write, log } = door;
  await write("# nobody");
  await vi.waitFor(async () => expect((await ask(server, alice)).status).toBe(401), patience);
  expect(log.join("\n")).toContain('"event":"keys-changed","keys":0,"revoked":["alice"]');
  await write(alice.line);
  expect((await ask(server, alice)).status).toBe(200);
});

test("where there is one key, its questions may wait in all places of the queue", async () => {
  const { reply, release } = held();
  await using lm = await upstream(reply);
  await using door = await keyed(lm, [alice.line], { concurrency: 1, queue: 4 });
  const { server } = door;
  const all = Array.from({ length: 5 }, () => ask(server, alice));
  await vi.waitFor(async () => expect(await waitingIn(server, alice)).toBe(4), patience);
  const refused = await ask(server, alice);
  expect([refused.status, await codeOf(refused)]).toEqual([429, "server_busy"]);
  release();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(5).fill(200));
});

test("a malformed key file keeps the previous keys, and the log and /ready tell", async () => {
  await using lm = await upstream(answering("There."));
  await using door = await keyed(lm, [alice.line]);
  const { server, write, log } = door;
  const ready = async () => {
    const response = await fetch(`${server.url}/ready`);
    return [response.status, await response.json()];
  };
  const readyWith = (fault: string) => ({
    status: "ready",
    checks: { keys: fault },
  });
  expect(await ready()).toEqual([200, readyWith("ok")]);
  await write("alice sha256:1234");
  expect((await ask(server, alice)).status).toBe(200);
  await vi.waitFor(
    async () => expect(await ready()).toEqual([200, readyWith("file-malformed")]),
    patience,
  );
  expect(log.filter((line) => line.includes("keys-unusable"))).toHaveLength(1);
  await write(bob.line);
  expect((await ask(server, alice)).status).toBe(401);
  await vi.waitFor(async () => expect(await ready()).toEqual([200, readyWith("ok")]), patience);
});

test("routes are told by which key they are asked, by its name", async () => {
  await using lm = await upstream(answering("There."));
  const seen: unknown[] = [];
  const adapter: ProtocolAdapter = {
    mount: (app, context) => {
      app.get("/who", (c) => c.json({ key: context.keyNameOf(c.req.raw) ?? null }));
    },
  };
  await using door = await keyed(lm, [alice.line], { adapters: [adapter] });
  const response = await fetch(`${door.server.url}/who`, {
    headers: { authorization: `Bearer ${alice.key}` },
  });
  seen.push(await response.json());
  await using open = await served(lm, { adapters: [adapter] });
  seen.push(await (await fetch(`${open.url}/who`)).json());
  expect(seen).toEqual([{ key: "alice" }, { key: null }]);
});
