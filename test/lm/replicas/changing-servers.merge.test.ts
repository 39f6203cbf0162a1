import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConnectOptions, Connection, ReplicaChange } from "../../../src/lm/index.ts";
import { connect, serverList } from "../../../src/lm/index.ts";
import { ledger } from "../../../src/ledger/index.ts";
import type { LmRequest } from "../../../src/contract/index.ts";
import { slottedServer } from "../../support/slotted-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, json, refuse } from "../../support/vllm-server.ts";
import { requestOf } from "../requests.ts";

const asked = (system: string, question: string): LmRequest => ({
  ...requestOf(question),
  messages: [
    { role: "system", content: system },
    { role: "user", content: question },
  ],
});
const chatsOf = (server: VllmServer) =>
  server.requests.filter(({ path }) => path === chatPath).length;

/** Asks so many questions with as many beginnings, and counts the answers as they come. */
function load(lm: Connection, count: number) {
  let answered = 0;
  const calls = Array.from({ length: count }, async (_, number) => {
    const reply = await lm.doGenerate(asked(`predictor ${number % 50}`, `question ${number}`));
    answered += 1;
    return reply.content;
  });
  return { answered: () => answered, all: Promise.all(calls) };
}

/** Goes on asking, so many questions at a time, until it is ended; then all replies. */
function steady(lm: Connection) {
  let [asking, number] = [true, 0];
  const workers = Array.from({ length: 32 }, async () => {
    const replies: (string | null)[] = [];
    while (asking) {
      const question = number++;
      const reply = await lm.doGenerate(
        asked(`predictor ${question % 50}`, `question ${question}`),
      );
      replies.push(reply.content);
    }
    return replies;
  });
  return {
    end: async () => {
      asking = false;
      return (await Promise.all(workers)).flat();
    },
  };
}

/** A connection to the servers in a file, which says what changes. */
async function listed(folder: string, urls: readonly string[], more: Partial<ConnectOptions> = {}) {
  const path = join(folder, "servers.txt");
  const write = async (lines: readonly string[]): Promise<void> => {
    await writeFile(`${path}.new`, `# ours\n\n${lines.join("\n")}\n`);
    await rename(`${path}.new`, path);
  };
  await write(urls);
  const changes: ReplicaChange[] = [];
  const list = serverList([`@${path}`]);
  const lm = connect({
    model: "test-model",
    examinationsFolder: null,
    retry: { attempts: 3, baseDelayMs: 5, maxDelayMs: 10 },
    baseUrls: await list.read(),
    serverList: list,
    concurrency: 32,
    replicas: {
      checkEveryMs: 20,
      firstPauseMs: 20,
      onChange: (change) => changes.push(change),
    },
    ...more,
  });
  const told = (server: VllmServer): readonly string[] =>
    changes.filter(({ name }) => name === server.baseUrl).map(({ what }) => what);
  return { lm, path, write, changes, told };
}

describe("servers in a file", () => {
  it("get their share once they join while a run goes on, and none before they were examined", async () => {
    await using folder = await temporaryFolder();
    await using first = await slottedServer({ slots: 4, serviceMs: 20 });
    await using second = await slottedServer({ slots: 4, serviceMs: 20 });
    const { lm, write, told } = await listed(folder.path, [first.baseUrl]);
    await using _closing = lm;
    const run = steady(lm);
    await expect.poll(() => first.answered).toBeGreaterThan(40);
    expect(second.requests).toEqual([]);
    await write([first.baseUrl, second.baseUrl]);
    await expect.poll(() => told(second)).toEqual(["joined"]);
    await expect.poll(() => second.answered).toBeGreaterThan(60);
    const { length: replies } = await run.end();
    const firstChat = second.requests.findIndex(({ path }) => path === chatPath);
    const examined = second.requests.findIndex(({ path }) => path === "/v1/models");
    expect(examined).toBeGreaterThanOrEqual(0);
    expect(examined).toBeLessThan(firstChat);
    expect(chatsOf(first) + chatsOf(second)).toBe(replies);
  });

  it("are drained when they leave: calls in flight end there, their prompts move on", async () => {
    await using folder = await temporaryFolder();
    await using first = await slottedServer({ slots: 4, serviceMs: 20 });
    await using second = await slottedServer({ slots: 4, serviceMs: 20 });
    const both = [first.baseUrl, second.baseUrl];
    const book = ledger();
    const { lm, write, told } = await listed(folder.path, both, { ledger: book });
    await using _closing = lm;
    const run = load(lm, 300);
    await expect.poll(() => second.answered).toBeGreaterThan(10);
    await write([first.baseUrl]);
    await expect.poll(() => told(second)).toContain("leaving");
    const sent = chatsOf(second);
    await run.all;
    expect(told(second)).toEqual(["leaving", "left"]);
    // What was on its way is answered there, and nothing follows.
    expect(chatsOf(second)).toBe(sent);
    expect(second.answered).toBe(sent);
    const { logical, billed } = book.snapshot().total;
    expect([logical.calls, logical.failedCalls, billed.calls]).toEqual([300, 0, 300]);
    expect(chatsOf(first)).toBe(300 - sent);
  });

  it("may be exchanged for others at once: the last stays until one can take over", async () => {
    await using folder = await temporaryFolder();
    await using first = await slottedServer({ slots: 4, serviceMs: 10 });
    await using second = await slottedServer({ slots: 4, serviceMs: 10 });
    second.always("/health", json({}, 503));
    const { lm, write, told } = await listed(folder.path, [first.baseUrl]);
    await using _closing = lm;
    const run = steady(lm);
    await write([second.baseUrl]);
    await expect.poll(() => told(second)).toEqual(["refused"]);
    const before = first.answered;
    await expect.poll(() => first.answered).toBeGreaterThan(before + 20);
    second.always("/health", json({}));
    await expect.poll(() => told(first)).toEqual(["leaving", "left"]);
    expect(told(second)).toEqual(["refused", "joined"]);
    await expect.poll(() => second.answered).toBeGreaterThan(50);
    const { length: replies } = await run.end();
    expect(first.answered + second.answered).toBe(replies);
  });

  it("that serve another model are refused by name, once, and the run goes on", async () => {
    await using folder = await temporaryFolder();
    await using first = await slottedServer({ slots: 4, serviceMs: 10 });
    await using other = await slottedServer({ slots: 4, serviceMs: 10, model: "other-model" });
    const { lm, write, changes } = await listed(folder.path, [first.baseUrl]);
    await using _closing = lm;
    const run = load(lm, 200);
    await write([first.baseUrl, other.baseUrl]);
    const examined = () => other.requests.filter(({ path }) => path === "/v1/models").length;
    await expect.poll(examined).toBeGreaterThan(1);
    await write([first.baseUrl]);
    await run.all;
    expect(changes).toMatchObject([{ name: other.baseUrl, what: "refused" }]);
    expect(String(changes[0]?.fault)).toContain("It offers `other-model`");
    expect(chatsOf(other)).toBe(0);
    expect(first.answered).toBe(200);
  });

  it("stay as they are while the file is empty, wrong or gone", async () => {
    await using folder = await temporaryFolder();
    await using first = await slottedServer({ slots: 4, serviceMs: 10 });
    const { lm, write, path, changes } = await listed(folder.path, [first.baseUrl]);
    await using _closing = lm;
    const run = steady(lm);
    const goesOn = async (): Promise<void> => {
      const before = first.answered;
      await expect.poll(() => first.answered).toBeGreaterThan(before + 20);
    };
    for (const lines of [[], ["one:8000"], ["http://user:secret@one:8000/v1"]]) {
      await write(lines);
      await goesOn();
      await expect(serverList([`@${path}`]).read()).rejects.toMatchObject({
        code: "file-malformed",
      });
    }
    await rename(path, `${path}.gone`);
    await goesOn();
    await expect(serverList([`@${path}`]).read()).rejects.toMatchObject({ code: "file-missing" });
    await run.end();
    expect(changes).toEqual([]);
  });
});

describe("a server of several", () => {
  it("may die and come back: nothing is lost, nothing charged twice, and it gets its share again", async () => {
    await using first = await slottedServer({ slots: 4, serviceMs: 10 });
    await using second = await slottedServer({ slots: 4, serviceMs: 10 });
    const book = ledger();
    await using lm = connect({
      model: "test-model",
      examinationsFolder: null,
      baseUrls: [first.baseUrl, second.baseUrl],
      concurrency: 32,
      ledger: book,
      replicas: { checkEveryMs: 20, firstPauseMs: 20 },
    });
    const run = steady(lm);
    await expect.poll(() => second.answered).toBeGreaterThan(30);
    second.die();
    const away = second.answered;
    const before = first.answered;
    await expect.poll(() => first.answered).toBeGreaterThan(before + 50);
    expect(second.answered).toBe(away);
    second.revive();
    await expect.poll(() => second.answered).toBeGreaterThan(away + 50);
    const replies = await run.end();
    expect(new Set(replies)).toEqual(new Set(["hello there"]));
    expect(first.answered + second.answered).toBe(replies.length);
    const { logical, billed } = book.snapshot().total;
    expect([logical.calls, logical.failedCalls, billed.calls]).toEqual([
      replies.length,
      0,
      replies.length,
    ]);
  });

  it.each(["its queue", "429"])(
    "gets as many calls as it can take, by %s, and never more in all than the bound",
    async (feedback) => {
      const tellsQueue = feedback === "its queue";
      // Long enough that the slots, not the processor, bound the calls on a busy machine.
      const serviceMs = 80;
      await using small = await slottedServer({ slots: 4, serviceMs, tellsQueue });
      await using large = await slottedServer({ slots: 24, serviceMs, tellsQueue });
      const servers = [small, large];
      let [inFlight, maxInFlight] = [0, 0];
      if (feedback === "429") {
        for (const [server, most] of [
          [small, 4],
          [large, 24],
        ] as const) {
          let held = 0;
          server.always(chatPath, (request, response) => {
            if (held >= most) return void refuse(429, "too many")(request, response);
            held += 1;
            setTimeout(() => {
              held -= 1;
              chat({})(request, response);
            }, serviceMs);
          });
        }
      }
      await using lm = connect({
        model: "test-model",
        examinationsFolder: null,
        baseUrls: servers.map(({ baseUrl }) => baseUrl),
        concurrency: 60,
        replicas: { checkEveryMs: 20 },
        fetch: async (input, init) => {
          const isChat = (input instanceof Request ? input.url : String(input)).endsWith(chatPath);
          if (isChat) maxInFlight = Math.max(maxInFlight, ++inFlight);
          try {
            return await fetch(input, init);
          } finally {
            if (isChat) inFlight -= 1;
          }
        },
      });
      await load(lm, 1_000).all;
      expect(maxInFlight).toBeLessThanOrEqual(60);
      expect(maxInFlight).toBeGreaterThan(20);
      const seen = servers.map(chatsOf) as [number, number];
      expect(seen[1]).toBeGreaterThan(2 * seen[0]);
    },
  );
});

describe("calls that wait for room at all servers", () => {
  it("keep to the homes of their beginnings", async () => {
    await using first = await slottedServer({ slots: 4, serviceMs: 10 });
    await using second = await slottedServer({ slots: 4, serviceMs: 10 });
    await using lm = connect({
      model: "test-model",
      examinationsFolder: null,
      baseUrls: [first.baseUrl, second.baseUrl],
      concurrency: 60,
      replicas: { checkEveryMs: 20 },
    });
    await load(lm, 1_000).all;
    const homes = new Map<string, [number, number]>();
    for (const [index, server] of [first, second].entries()) {
      for (const { path, body } of server.requests) {
        if (path !== chatPath) continue;
        const counts = homes.get(body.messages[0].content) ?? [0, 0];
        counts[index as 0 | 1] += 1;
        homes.set(body.messages[0].content, counts);
      }
    }
    const atHome = [...homes.values()].reduce((sum, counts) => sum + Math.max(...counts), 0);
    // By chance it were little more than half.
    expect(atHome).toBeGreaterThan(700);
  });

  it("leave when they are aborted, and say while they wait", async () => {
    await using first = await slottedServer({ slots: 1, serviceMs: 5 });
    await using second = await slottedServer({ slots: 1, serviceMs: 5 });
    const held: (() => void)[] = [];
    for (const server of [first, second]) {
      server.always(chatPath, async (request, response) => {
        await new Promise<void>((release) => held.push(release));
        chat({})(request, response);
      });
    }
    await using lm = connect({
      model: "test-model",
      examinationsFolder: null,
      baseUrls: [first.baseUrl, second.baseUrl],
      concurrency: 20,
      replicas: { spillFloor: 1, maxPerServer: 1 },
    });
    const running = [lm.doGenerate(asked("p", "1")), lm.doGenerate(asked("p", "2"))];
    await expect.poll(() => held.length).toBe(2);
    const waits: boolean[] = [];
    const stop = new AbortController();
    const onWaiting = (isWaiting: boolean): void => void waits.push(isWaiting);
    const waiting = lm.doGenerate(asked("p", "3"), { signal: stop.signal, onWaiting });
    await expect.poll(() => waits.at(-1)).toBe(true);
    // Nobody waits for a shadow: it goes at once, and takes no room from the others.
    const shadow = lm.doGenerate(asked("p", "4"), { role: "shadow" });
    await expect.poll(() => held.length).toBe(3);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(waits.at(-1)).toBe(false);
    const last = lm.doGenerate(asked("p", "5"));
    for (const release of held) release();
    await Promise.all([...running, shadow]);
    await expect.poll(() => held.length).toBe(4);
    held.at(-1)?.();
    expect((await last).content).toBe("hello there");
    expect(chatsOf(first) + chatsOf(second)).toBe(4);
  });
});

describe("a name whose addresses are servers", () => {
  it("is resolved as the system does, and again while a run goes on", async () => {
    await using first = await slottedServer({ slots: 4, serviceMs: 10 });
    const port = Number(new URL(first.baseUrl).port);
    await using second = await slottedServer({ slots: 4, serviceMs: 10, host: "127.0.0.2", port });
    const address = `dns+http://localhost:${port}/v1`;
    expect(await serverList([address]).read()).toEqual([first.baseUrl]);

    let found = ["127.0.0.1"];
    let nowMs = 0;
    const clock = { now: () => (nowMs += 1_000), sleep: () => Promise.resolve() };
    const list = serverList([address], { lookup: async () => found, clock });
    const changes: string[] = [];
    await using lm = connect({
      model: "test-model",
      examinationsFolder: null,
      baseUrls: await list.read(),
      serverList: list,
      concurrency: 32,
      replicas: { checkEveryMs: 20, onChange: ({ name, what }) => changes.push(`${name} ${what}`) },
    });
    const run = load(lm, 400);
    await expect.poll(run.answered).toBeGreaterThan(20);
    found = ["127.0.0.2", "127.0.0.1"];
    await expect.poll(() => second.answered).toBeGreaterThan(20);
    found = ["127.0.0.2"];
    await run.all;
    expect(changes).toEqual([
      `${second.baseUrl} joined`,
      `${first.baseUrl} leaving`,
      `${first.baseUrl} left`,
    ]);
    expect(first.answered + second.answered).toBe(400);
  });
});
