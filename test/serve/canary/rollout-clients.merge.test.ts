import { createHash } from "node:crypto";
import type { ChatServer } from "espalier/serve";
import { apiKeysInClear, chatModel, openServeState, serving } from "espalier/serve";
import { expect, test } from "vitest";
import { asked, atOnce, clientOf } from "../served.ts";
import type { Reply } from "../upstream.ts";
import { answering } from "../upstream.ts";
import { ask, isVague, rolledOut, users } from "./rolled-out.ts";

const [one, other] = ["1", "2"].map((digit) => digit.repeat(40)) as [string, string];
const several = apiKeysInClear(`${one},${other}`, "test");

async function findings(server: ChatServer) {
  const [rollout, ...others] = await server.rollouts();
  if (rollout === undefined || others.length > 0) throw new Error("There is one rollout.");
  return { ...rollout, ...rollout.findings };
}

async function versionOf(server: ChatServer, key: string, user: string): Promise<string> {
  const reply = await clientOf(server, key).chat.completions.create({ ...asked(), user });
  return (reply as unknown as { metadata: { version: string } }).metadata.version;
}

/** As vLLM says it. */
const tooLong: Reply = (response) => {
  response.writeHead(400, { "content-type": "application/json" });
  const message = "This model's maximum context length is 4096 tokens.";
  response.end(JSON.stringify({ error: { message, type: "BadRequestError", code: 400 } }));
};

test("a question that is too long for the model is no observation, of neither version, and its user counts no more", async () => {
  await using work = await rolledOut({
    reply: (response, request) => {
      const isLong = request.messages.some(({ content }) => content.includes("too long"));
      return (isLong ? tooLong : answering("By the river."))(response, request);
    },
  });
  await using server = await work.serve({ rollout: { canary: 0.5 }, state: work.state() });
  for (const user of users(0, 12)) {
    const asking = clientOf(server).chat.completions.create({ ...asked("too long"), user });
    await expect(asking).rejects.toMatchObject({ code: "context_length_exceeded" });
  }
  // Each of these could choose what to ask now, by the version that it gets.
  for (const user of users(0, 12)) await ask(server, user);
  await ask(server, "another");
  await expect
    .poll(async () => {
      const { baseline, candidate } = await findings(server);
      return baseline.keys + candidate.keys;
    })
    .toBe(1);
  expect(await findings(server)).toMatchObject({ status: "running", worse: expect.closeTo(1, 0) });
});

test("who leaves before the answer is whole is no observation, and counts no more", async () => {
  const release = Promise.withResolvers<void>();
  await using work = await rolledOut({
    reply: async (response, request) => {
      if (request.messages.some(({ content }) => content.includes("slowly"))) await release.promise;
      return answering("By the river.")(response, request);
    },
  });
  await using server = await work.serve({ rollout: { canary: 0.5 }, state: work.state() });
  const gone = new AbortController();
  const asking = clientOf(server).chat.completions.create(
    { ...asked("slowly"), user: "ada" },
    { signal: gone.signal },
  );
  await expect.poll(() => work.lm.requests.length).toBe(1);
  gone.abort();
  await expect(asking).rejects.toThrow("aborted");
  await expect
    .poll(() => work.lines.filter(({ event, status }) => event === "chat" && status === 499).length)
    .toBe(1);
  release.resolve();
  await ask(server, "ada");
  await ask(server, "bob");
  await expect.poll(async () => (await findings(server)).comparisons).toBe(1);
  await ask(server, "bob");
  expect(await findings(server)).toMatchObject({ comparisons: 1 });
});

test("an answer that a live metric cannot score is no observation, and its user counts no more", async () => {
  await using work = await rolledOut({ reply: answering("By the river.") });
  const picky = chatModel({
    id: "at-once",
    program: atOnce,
    liveMetrics: {
      picky: ({ question }) => {
        if (question === "Break it.") throw new Error("No score.");
        return 1;
      },
    },
    inputOf: ({ question }) => ({ question }),
    answerOf: ({ answer }) => ({ answer }),
  });
  await using server = await work.serve({
    serving: serving({ name: "towns", models: [picky] }),
    rollout: { canary: 0.5 },
    state: work.state(),
  });
  for (const user of users(0, 12)) {
    await clientOf(server).chat.completions.create({ ...asked("Break it."), user });
  }
  for (const user of users(0, 12)) await ask(server, user);
  await ask(server, "another");
  await expect.poll(async () => (await findings(server)).comparisons).toBe(1);
  await ask(server, "another");
  expect(await findings(server)).toMatchObject({ comparisons: 1 });
});

test("a client's own refusals, as when the queue is full, are no observations", async () => {
  const release = Promise.withResolvers<void>();
  await using work = await rolledOut({
    reply: async (response, request) => {
      await release.promise;
      return answering("By the river.")(response, request);
    },
  });
  const limits = { concurrency: 1, queue: 0 };
  await using server = await work.serve({
    rollout: { canary: 0.5 },
    state: work.state(),
    ...limits,
  });
  const first = ask(server, "ada");
  await expect.poll(() => work.lm.requests.length).toBe(1);
  for (const user of users(0, 6)) {
    await expect(ask(server, user)).rejects.toMatchObject({ status: 429 });
  }
  release.resolve();
  await first;
  await expect.poll(async () => (await findings(server)).comparisons).toBe(1);
});

test("which version a user gets follows from nothing that the server tells", async () => {
  await using work = await rolledOut({ reply: answering("By the river.") });
  await using server = await work.serve({ rollout: { canary: 0.5 }, state: work.state() });
  await using elsewhere = await work.serve({
    rollout: { canary: 0.5 },
    state: work.state("elsewhere"),
  });
  // As a client could compute it from `/v1/models` while arms were hashes without a secret.
  const guessed = (user: string): string => {
    const parts = JSON.stringify(["at-once", work.vague, JSON.stringify(["user", user])]);
    const digest = createHash("sha256").update(parts).digest();
    return digest.readUIntBE(0, 6) / 2 ** 48 < 0.5 ? work.vague : work.exact;
  };
  let [guesses, alike] = [0, 0];
  for (const user of users(0, 100)) {
    const { version } = await ask(server, user);
    if (version === guessed(user)) guesses += 1;
    if (version === (await ask(elsewhere, user)).version) alike += 1;
  }
  // Of 100 drawn at random fewer than 25 or more than 75 are one in some millions.
  for (const count of [guesses, alike]) expect(Math.abs(count - 50)).toBeLessThan(25);
});

test("a user is one with the API key that asked: another key's user of that name is another", async () => {
  await using work = await rolledOut({ reply: answering("By the river.") });
  const state = work.state();
  await using server = await work.serve({ rollout: { canary: 0.5 }, state, keys: several });
  const versions = { one: [] as string[], other: [] as string[] };
  for (const user of users(0, 30)) {
    versions.one.push(await versionOf(server, one, user));
    versions.other.push(await versionOf(server, other, user));
  }
  expect(versions.one).not.toEqual(versions.other);
  await expect
    .poll(async () => {
      const { baseline, candidate } = await findings(server);
      return baseline.keys + candidate.keys;
    })
    .toBe(60);
  expect(await findings(server)).toMatchObject({ apiKeys: 2, keyShare: 0.5, waiting: 0 });
  // By name a user is forgotten under all API keys.
  expect(state.forget([JSON.stringify(["user", "user-7"])])).toBe(2);
});

test("one of several API keys rolls nothing back alone, and the server says that it cannot decide yet", async () => {
  await using work = await rolledOut();
  await using server = await work.serve({
    rollout: { canary: 0.5 },
    state: work.state(),
    keys: several,
  });
  for (const user of users(0, 100)) await versionOf(server, one, user);
  await expect.poll(async () => (await findings(server)).waiting).toBe(100);
  const told = async () => {
    const headers = { authorization: `Bearer ${one}` };
    const response = await fetch(`${server.url}/v1/rollouts`, { headers });
    return ((await response.json()) as { data: readonly object[] }).data[0];
  };
  expect(await told()).toMatchObject({
    status: "running",
    key_share: 0.5,
    api_keys: 1,
    keys_beyond_share: 100,
    is_decidable: false,
    evidence: { worse: 1 },
  });
  for (const user of users(0, 300)) {
    await versionOf(server, other, user);
    if ((await findings(server)).status === "rolled-back") break;
  }
  expect(await told()).toMatchObject({ status: "rolled-back", api_keys: 2, is_decidable: true });
});

test("a server with one API key, or with keys that are all trusted, decides by what one asked", async () => {
  for (const settings of [
    { keys: apiKeysInClear(one, "test"), rollout: { canary: 0.5 } },
    { keys: several, rollout: { canary: 0.5, keyShare: 1 } },
  ]) {
    await using work = await rolledOut();
    await using server = await work.serve({ ...settings, state: work.state() });
    for (const user of users(0, 300)) {
      await versionOf(server, one, user);
      if ((await findings(server)).status === "rolled-back") break;
    }
    expect(await findings(server)).toMatchObject({ status: "rolled-back", keyShare: 1 });
  }
});

test("a rollout is bounded from the moment at which another API key is let in", async () => {
  await using work = await rolledOut();
  const names = ["one"];
  const keys = { names, nameOf: several.nameOf };
  await using server = await work.serve({ rollout: { canary: 0.5 }, state: work.state(), keys });
  await versionOf(server, one, "ada");
  await expect.poll(async () => (await findings(server)).comparisons).toBe(1);
  names.push("other");
  for (const user of users(0, 100)) await versionOf(server, one, user);
  await expect.poll(async () => (await findings(server)).waiting).toBe(101);
  expect(await findings(server)).toMatchObject({ status: "running", keyShare: 0.5 });
});

test("what a revoked API key contributed does not decide alone, not after a restart either, nor under another key share", async () => {
  await using work = await rolledOut();
  const names = ["one", "other"];
  const keys = { names, nameOf: (given?: string) => (given?.endsWith(one) ? "one" : "other") };
  const state = work.state();
  const server = await work.serve({ rollout: { canary: 0.5 }, state, keys });
  for (const user of users(0, 100)) await versionOf(server, one, user);
  await versionOf(server, other, "ada");
  await expect.poll(async () => (await findings(server)).waiting).toBe(99);
  names.shift();
  await versionOf(server, other, "bob");
  await expect.poll(async () => (await findings(server)).waiting).toBe(98);
  expect(await findings(server)).toMatchObject({ status: "running", keyShare: 0.5 });
  await server.stop();

  await using again = await work.serve({ rollout: { canary: 0.5, keyShare: 1 }, state, keys });
  await versionOf(again, other, "carol");
  await expect.poll(async () => (await findings(again)).waiting).toBe(97);
  expect(await findings(again)).toMatchObject({ status: "running", keyShare: 0.5 });
});

test("two servers with one API key each that share a state are bounded as one with both", async () => {
  await using work = await rolledOut();
  const serve = (name: string) =>
    work.serve({
      rollout: { canary: 0.5 },
      state: work.state(),
      keys: { names: [name], nameOf: () => name },
    });
  await using first = await serve("one");
  await using second = await serve("other");
  await versionOf(first, one, "ada");
  await expect.poll(async () => (await findings(first)).comparisons).toBe(1);
  expect(await findings(second)).toMatchObject({ keyShare: 1 });
  for (const user of users(0, 100)) await versionOf(second, other, user);
  await expect.poll(async () => (await findings(first)).waiting).toBe(99);
  expect(await findings(second)).toMatchObject({ status: "running", keyShare: 0.5, apiKeys: 2 });
});

test("a candidate whose prompts the LM's server refuses is rolled back still", async () => {
  const refused: Reply = (response) => {
    response.writeHead(422, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "temperature is out of range" } }));
  };
  await using work = await rolledOut({
    reply: (response, request) =>
      (isVague(request) ? refused : answering("By the river."))(response, request),
  });
  await using server = await work.serve({ rollout: { canary: 0.5 }, state: work.state() });
  for (const user of users(0, 300)) {
    await ask(server, user).catch(() => undefined);
    if ((await findings(server)).status === "rolled-back") break;
  }
  expect((await findings(server)).status).toBe("rolled-back");
});

test("a share below a half is refused, since of two API keys neither could reach the other's", async () => {
  await using work = await rolledOut();
  for (const keyShare of [0.4, 1.1]) {
    const serving = work.serve({ rollout: { canary: 0.5, keyShare }, state: work.state() });
    await expect(serving).rejects.toMatchObject({ code: "option-invalid" });
  }
});

test("a state without a file has a secret of its own", () => {
  using first = openServeState(":memory:");
  using second = openServeState(":memory:");
  expect(first.hashed(["same"])).not.toEqual(second.hashed(["same"]));
});
