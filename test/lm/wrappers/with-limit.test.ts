import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { withLimit, limiter } from "../../../src/lm/index.ts";
import { chat, chatPath, refuse, stall, vllmServer } from "../../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "../language-model.contract.ts";
import { clientOf, requestOf, until } from "../requests.ts";

languageModelContract("withLimit", async () => {
  const server = await vllmServer();
  server.always(chatPath, contractAnswer);
  return {
    lm: withLimit(clientOf(server), limiter(3)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

describe("a limited language model", () => {
  it("has so many requests in flight and no more, over all models that share the limiter", async () => {
    await using server = await vllmServer();
    server.always(chatPath, async (request, response) => {
      await until(() => server.maxInFlight >= 3);
      return chat({})(request, response);
    });
    const shared = limiter(3);
    const models = [withLimit(clientOf(server), shared), withLimit(clientOf(server), shared)];
    const ten = Array.from({ length: 10 }, (_, index) => requestOf(`${index}`));
    await Promise.all(models.flatMap((lm) => ten.map((request) => lm.doGenerate(request))));
    expect(server.maxInFlight).toBe(3);
  });

  it("never sends a call that was aborted while it waited", async () => {
    await using server = await vllmServer();
    server.script(chatPath, stall);
    const lm = withLimit(clientOf(server), limiter(1));
    const running = new AbortController();
    const waiting = new AbortController();
    const reason = new Error("enough");
    const first = lm.doGenerate(requestOf("first"), { signal: running.signal });
    const second = lm.doGenerate(requestOf("second"), { signal: waiting.signal });
    const third = lm.doGenerate(requestOf("third"));
    await until(() => server.requests.length > 0);
    waiting.abort(reason);
    await expect(second).rejects.toBe(reason);
    running.abort(reason);
    await expect(first).rejects.toBe(reason);
    await third;
    expect(server.requests.map(({ body }) => body.messages[0].content)).toEqual(["first", "third"]);
  });

  it("keeps the slot of a call that was aborted until the call has ended", async () => {
    const shared = limiter(1);
    const aborted = new AbortController();
    const end = Promise.withResolvers<string>();
    const order: string[] = [];
    const first = shared.run(async () => {
      await end.promise;
      order.push("first ends");
    }, aborted.signal);
    const second = shared.run(async () => order.push("second starts"));
    aborted.abort();
    // Whatever the abort sets free would run before this.
    await new Promise((done) => setImmediate(done));
    expect(order).toEqual([]);
    end.resolve("");
    await Promise.all([first, second]);
    expect(order).toEqual(["first ends", "second starts"]);
  });

  it("lets no shadow take a slot of a call that is waited for, and has a quarter as many for shadows", async () => {
    await using server = await vllmServer();
    const end = Promise.withResolvers<void>();
    const textOf = (body: { messages: { content: string }[] }): string =>
      `${body.messages[0]?.content}`;
    server.always(chatPath, async (request, response) => {
      if (textOf(request.body).startsWith("shadow")) await end.promise;
      return chat({})(request, response);
    });
    const lm = withLimit(clientOf(server), limiter(5));
    const unseen = Array.from({ length: 8 }, (_, index) =>
      lm.doGenerate(requestOf(`shadow ${index}`), { role: "shadow" }),
    );
    await until(() => server.requests.length > 0);
    const five = Array.from({ length: 5 }, (_, index) => lm.doGenerate(requestOf(`${index}`)));
    expect(await Promise.all(five)).toHaveLength(5);
    expect(server.requests.filter(({ body }) => textOf(body).startsWith("shadow"))).toHaveLength(2);
    end.resolve();
    await Promise.all(unseen);
  });

  it("tells who asks how long a call waits for its turn, also where it leaves", async () => {
    await using server = await vllmServer();
    server.script(chatPath, stall);
    const lm = withLimit(clientOf(server), limiter(1));
    const [running, leaving] = [new AbortController(), new AbortController()];
    const told: string[] = [];
    const ask = (name: string, signal?: AbortSignal): Promise<unknown> =>
      lm
        .doGenerate(requestOf(name), {
          ...(signal && { signal }),
          onWaiting: (isWaiting) => told.push(`${name} ${isWaiting ? "waits" : "waits no more"}`),
        })
        .catch(() => undefined);
    const all = [ask("a", running.signal), ask("b", leaving.signal), ask("c")];
    await until(() => server.requests.length > 0);
    const beforeAny = ["a waits", "a waits no more", "b waits", "c waits"];
    expect(told).toEqual(beforeAny);
    leaving.abort();
    await all[1];
    running.abort();
    await Promise.all(all);
    expect(told).toEqual([...beforeAny, "b waits no more", "c waits no more"]);
  });

  it("runs a task in the context of who asked for it, whoever made room for it", async () => {
    const shared = limiter(1);
    const asker = new AsyncLocalStorage<string>();
    const heard = await Promise.all(
      ["a", "b", "c"].map((name) =>
        asker.run(name, () => shared.run(async () => asker.getStore())),
      ),
    );
    expect(heard).toEqual(["a", "b", "c"]);
  });

  it("lets those that wait go first come, first served, and passes over who has left", async () => {
    const shared = limiter(2);
    const order: number[] = [];
    const leaving = new AbortController();
    const tasks = Array.from({ length: 6 }, (_, number) =>
      shared.run(
        async () => {
          order.push(number);
          await new Promise((done) => setImmediate(done));
          if (number === 0) leaving.abort("enough");
          if (number === 1) throw new Error("No.");
        },
        number === 3 ? leaving.signal : undefined,
      ),
    );
    const ends = await Promise.allSettled(tasks);
    expect(order).toEqual([0, 1, 2, 4, 5]);
    const refused = ends.flatMap((end, number) =>
      end.status === "rejected" ? [[number, end.reason as unknown]] : [],
    );
    expect(refused).toEqual([
      [1, new Error("No.")],
      [3, "enough"],
    ]);
  });

  it("rejects at once what is aborted already", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const sent = limiter(1).run(() => Promise.resolve("sent"), signal);
    await expect(sent).rejects.toBe(reason);
  });

  it("gives a slot back after an error", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(500, "no"));
    const lm = withLimit(clientOf(server), limiter(1));
    await expect(lm.doGenerate(requestOf("a"))).rejects.toThrow("status 500");
    expect((await lm.doGenerate(requestOf("a"))).content).toBe("hello there");
  });
});
