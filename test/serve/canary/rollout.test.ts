import { mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "espalier/lm";
import type { ChatServer } from "espalier/serve";
import { apiKeysInClear, openFeedback } from "espalier/serve";
import { expect, test } from "vitest";
import { keyHash, canaryKey } from "../../../src/serve/state/stored-canary.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { asked, clientOf } from "../served.ts";
import { answering, replying } from "../upstream.ts";
import { counted, onlyRollout } from "./only-rollout.ts";
import { ask, asInstructed, isVague, rolledOut, users } from "./rolled-out.ts";

const half = { rollout: { canary: 0.5 } };

async function metrics(server: ChatServer): Promise<string> {
  return (await fetch(`${server.url}/metrics`)).text();
}

/** Asks one user after the other until the candidate is rolled back. */
async function untilRolledBack(server: ChatServer): Promise<void> {
  for (const user of users(100, 500)) {
    await ask(server, user);
    if ((await onlyRollout(server)).status === "rolled-back") return;
  }
  throw new Error("The candidate stayed.");
}

test("a worse candidate gets its share, is rolled back with the figures in the registry, and answers nobody any more", async () => {
  await using work = await rolledOut();
  await using server = await work.serve({ ...half, state: work.state() });
  const first = await Promise.all(users(0, 12).map((user) => ask(server, user)));
  const again = await Promise.all(users(0, 12).map((user) => ask(server, user)));
  expect(again).toEqual(first);

  await untilRolledBack(server);
  const later = await Promise.all(users(0, 12).map((user) => ask(server, user)));
  expect(new Set(later.map(({ version }) => version))).toEqual(new Set([work.exact]));
  await expect.poll(async () => (await work.registry.aliases("at-once")).candidate).toBe(null);
  const move = (await work.registry.aliases("at-once")).history.at(-1);
  expect(move).toMatchObject({ kind: "withdraw", from: work.vague, by: "espalier serve" });
  expect(move?.why).toMatch(
    /^mean score 0\.500 of \d+ keys against 1\.000 of \d+ keys with [0-9a-f]{12}; evidence for worse 2\d\.\d, 20 decides/,
  );
  expect(work.lines.filter(({ event }) => event === "rolled-back")).toHaveLength(1);
  const text = await metrics(server);
  expect(text).toContain('espalier_rollbacks_total{model="at-once"} 1');
  const { data } = (await (await fetch(`${server.url}/v1/rollouts`)).json()) as {
    data: readonly object[];
  };
  expect(data).toMatchObject([
    {
      model: "at-once",
      baseline: work.exact,
      candidate: work.vague,
      status: "rolled-back",
      mean_score: { baseline: 1, candidate: 0.5 },
      is_shown_worse: true,
    },
  ]);
});

test("a candidate whose replies are unusable is rolled back as well", async () => {
  await using work = await rolledOut({
    reply: (response, request) =>
      (isVague(request) ? replying("By the river, in no JSON.") : asInstructed)(response, request),
  });
  await using server = await work.serve({ ...half, state: work.state() });
  for (const user of users(0, 300)) {
    await ask(server, user).catch(() => undefined);
    if ((await onlyRollout(server)).status === "rolled-back") break;
  }
  const { status, findings } = await onlyRollout(server);
  expect(status).toBe("rolled-back");
  expect(findings.candidate.meanScore).toBe(0);
});

test("a better candidate is said to be better, and put nowhere by itself", async () => {
  await using work = await rolledOut({ production: "vague", candidate: "exact" });
  await using server = await work.serve({ ...half, state: work.state() });
  for (const user of users(0, 150)) await ask(server, user);
  await expect.poll(() => counted(server)).toBe(150);
  const { status, findings } = await onlyRollout(server);
  expect(status).toBe("running");
  expect(findings).toMatchObject({ isShownBetter: true, isShownWorse: false });
  expect(await work.registry.aliases("at-once")).toMatchObject({
    production: work.vague,
    candidate: work.exact,
  });
  expect(await metrics(server)).toMatch(
    /espalier_rollout_keys\{model="at-once",candidate="[0-9a-f]{12}",arm="candidate"\} \d\d/,
  );
});

test("an id with a version takes no part, and a conversation stays with one version", async () => {
  await using work = await rolledOut({ reply: answering("By the river.") });
  await using server = await work.serve({ ...half, state: work.state() });
  for (const user of users(0, 8)) {
    expect((await ask(server, user, "at-once@production")).version).toBe(work.exact);
    expect((await ask(server, user, "at-once@candidate")).version).toBe(work.vague);
  }
  expect(await counted(server)).toBe(0);
  for (const opening of users(0, 30)) {
    const versions = [];
    for (const content of [opening, "And then?", "And after that?"]) {
      const said = content === opening ? [] : [{ role: "user" as const, content: opening }];
      const reply = await clientOf(server).chat.completions.create({
        ...asked("", "at-once"),
        messages: [...said, { role: "user", content }],
      });
      versions.push((reply as unknown as { metadata: { version: string } }).metadata.version);
    }
    expect(new Set(versions).size).toBe(1);
  }
  await expect.poll(() => counted(server)).toBe(30);
});

test("a shadow's answer is awaited by nobody: the reply is the production's, byte for byte, while the shadow is stuck", async () => {
  const release = Promise.withResolvers<void>();
  await using work = await rolledOut({
    reply: async (response, request) => {
      if (isVague(request)) await release.promise;
      return asInstructed(response, request);
    },
  });
  const bodyOf = async (server: ChatServer, stream: boolean): Promise<string> => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...asked(), user: `streamed ${stream}`, seed: 7, stream }),
    });
    const text = await response.text();
    return text.replaceAll(/chatcmpl-[0-9a-f]{32}|"created":\d+/g, "");
  };
  await using plain = await work.serve({});
  await using server = await work.serve({ rollout: { shadow: 1 }, state: work.state() });
  for (const isStreamed of [false, true]) {
    expect(await bodyOf(server, isStreamed)).toBe(await bodyOf(plain, isStreamed));
  }
  await expect.poll(() => work.lm.requests.filter(isVague).length).toBe(2);
  expect(await counted(server)).toBe(0);
  release.resolve();
  await expect.poll(() => counted(server)).toBe(4);
  const { findings } = await onlyRollout(server);
  expect(findings).toMatchObject({
    comparisons: 2,
    baseline: { keys: 2, meanScore: 1 },
    candidate: { keys: 2, meanScore: 0.5 },
  });
  const text = await metrics(server);
  expect(text).toContain('espalier_lm_calls_total{role="shadow"} 2');
  expect(text).toContain('espalier_lm_calls_total{role="student"} 2');
  expect(text).toContain('espalier_shadows_total{outcome="run"} 2');
  expect(text).toMatch(/^espalier_chats_total\{model="at-once",.*status="200"\} 2$/m);
});

test("a question waits for no shadow, however slow the LM's server is and however few calls it may be asked", async () => {
  const release = Promise.withResolvers<void>();
  await using work = await rolledOut({
    reply: async (response, request) => {
      if (isVague(request)) await release.promise;
      return asInstructed(response, request);
    },
  });
  const once = { model: "scripted", concurrency: 1, retry: { attempts: 1 } };
  const lm = connect({ ...once, baseUrl: work.lm.url });
  const rollout = { shadow: 1 };
  await using server = await work.serve({ lm, rollout, state: work.state(), concurrency: 16 });
  // All slots of shadows are taken, and one shadow waits for the LM.
  for (const user of users(0, 6)) expect((await ask(server, user)).version).toBe(work.exact);
  await expect.poll(() => work.lm.requests.filter(isVague).length).toBe(1);
  expect(await metrics(server)).toContain('espalier_shadows_total{outcome="run"} 4');
  release.resolve();
  await expect.poll(() => counted(server)).toBe(10);
  expect(work.lm.requests.filter(isVague)).toHaveLength(4);
});

test("a worse candidate is rolled back out of the shadow, without a single person having had its answer", async () => {
  await using work = await rolledOut();
  await using server = await work.serve({ rollout: { shadow: 1 }, state: work.state() });
  const answers = [];
  for (const user of users(0, 60)) {
    answers.push((await ask(server, user)).answer);
    if ((await onlyRollout(server)).status === "rolled-back") break;
  }
  await expect.poll(async () => (await onlyRollout(server)).status).toBe("rolled-back");
  expect(new Set(answers)).toEqual(new Set(["By the river."]));
});

test("shadows beyond their slots are dropped and counted so, and the end of the server aborts those that run", async () => {
  await using work = await rolledOut({
    reply: (response, request) => (isVague(request) ? undefined : asInstructed(response, request)),
  });
  const server = await work.serve({
    rollout: { shadow: 1 },
    state: work.state(),
    concurrency: 4,
    drainMs: 60_000,
  });
  await ask(server, "ada");
  await expect.poll(() => work.lm.requests.filter(isVague).length).toBe(1);
  await ask(server, "bob");
  await expect.poll(() => metrics(server)).toContain('espalier_shadows_total{outcome="dropped"} 1');
  // Whose question was not shadowed is counted with the one answer there is.
  expect((await onlyRollout(server)).findings.baseline.keys).toBe(1);
  await server.stop();
  await expect.poll(() => work.lm.givenUp()).toBe(1);
});

test("a restart goes on with the test, and of two servers with one file each counts what both saw", async () => {
  let isVagueWorse = false;
  await using work = await rolledOut({
    reply: (response, request) =>
      (isVagueWorse ? asInstructed : answering("By the river."))(response, request),
  });
  const begun = await work.serve({ ...half, state: work.state() });
  for (const user of users(0, 10)) await ask(begun, user);
  await expect.poll(() => counted(begun)).toBe(10);
  const before = await onlyRollout(begun);
  await begun.stop();

  await using one = await work.serve({ rollout: { canary: 0.5, alpha: 0.2 }, state: work.state() });
  await using other = await work.serve({ ...half, state: work.state() });
  // Its rules are those it began with.
  expect(await onlyRollout(one)).toEqual(before);
  for (const user of users(5, 14)) await ask(one, user);
  for (const user of users(5, 18)) await ask(other, user);
  await expect.poll(() => counted(one)).toBe(18);
  expect(await onlyRollout(one)).toEqual(await onlyRollout(other));
  isVagueWorse = true;
  await untilRolledBack(one);
  expect((await ask(other, "user-1")).version).toBe(work.exact);
  expect((await onlyRollout(other)).status).toBe("rolled-back");
  expect(work.lines.filter(({ event }) => event === "rolled-back")).toHaveLength(1);
});

test("where the registry cannot be written traffic stops all the same, also after a restart, which makes up for it", async () => {
  await using work = await rolledOut();
  const lock = join(work.registry.folder, "registry.lock");
  await rm(lock);
  await mkdir(lock);
  const server = await work.serve({ ...half, state: work.state() });
  await untilRolledBack(server);
  await expect
    .poll(() => work.lines.filter(({ event }) => event === "rollback-unwritten").length)
    .toBe(1);
  const versions = await Promise.all(users(0, 20).map((user) => ask(server, user)));
  expect(new Set(versions.map(({ version }) => version))).toEqual(new Set([work.exact]));
  expect((await work.registry.aliases("at-once")).candidate).toBe(work.vague);
  await server.stop();

  await rmdir(lock);
  await using again = await work.serve({ ...half, state: work.state() });
  expect((await ask(again, "user-1")).version).toBe(work.exact);
  await expect.poll(async () => (await work.registry.aliases("at-once")).candidate).toBe(null);
});

test("a promotion ends the rollout, and the next candidate begins one of its own", async () => {
  const reply = answering("By the river.");
  await using work = await rolledOut({ production: "vague", candidate: "exact", reply });
  await using server = await work.serve({ ...half, state: work.state() });
  await ask(server, "ada");
  await work.registry.promote("at-once", "candidate", "production");
  for (const user of users(0, 8)) expect((await ask(server, user)).version).toBe(work.exact);
  expect((await onlyRollout(server)).status).toBe("ended");
  await work.registry.promote("at-once", work.vague, "candidate");
  const versions = await Promise.all(users(0, 30).map((user) => ask(server, user)));
  expect(new Set(versions.map(({ version }) => version)).size).toBe(2);
  expect((await server.rollouts()).map(({ status }) => status)).toEqual(["ended", "running"]);
});

test("what the LM's server does wrong is no fault of a version", async () => {
  await using work = await rolledOut({
    reply: (response) => void response.writeHead(500).end("{}"),
  });
  await using server = await work.serve({ ...half, state: work.state() });
  for (const user of users(0, 6)) {
    await expect(ask(server, user)).rejects.toMatchObject({ status: 503 });
  }
  expect(await counted(server)).toBe(0);
});

test("a state that cannot be read any more keeps back neither answers nor the other metrics", async () => {
  await using work = await rolledOut();
  const state = work.state();
  await using server = await work.serve({ ...half, state });
  await ask(server, "ada");
  state[Symbol.dispose]();
  for (const user of users(0, 4)) expect((await ask(server, user)).version).toBe(work.exact);
  expect(await metrics(server)).toContain('espalier_chats_total{model="at-once"');
  expect(work.lines.map(({ event }) => event)).toContain("rollout-unwritten");
});

test("the file of state holds neither what was said nor who said it", async () => {
  await using work = await rolledOut({ reply: answering("Quillfeather, by the river.") });
  const server = await work.serve({ ...half, state: work.state() });
  await ask(server, "ada-lovelace");
  await ask(server, undefined);
  await expect.poll(() => counted(server)).toBe(2);
  await server.stop();
  for (const name of ["state.sqlite", "state.sqlite-wal"]) {
    const bytes = await readFile(join(work.folder, name), "latin1");
    expect(bytes).not.toMatch(/ada-lovelace|Quillfeather/);
  }
});

test("whoever is erased is found in the file of state no more, by a name or by what was said first, and the scores stay", async () => {
  await using work = await rolledOut({ reply: answering("By the river.") });
  const { folder, exact, vague, registry } = work;
  using feedback = openFeedback({ path: join(folder, "feedback.sqlite"), isMade: true });
  const settings = { rollout: { canary: 0.5 }, feedback };
  await using server = await work.serve({ ...settings, state: work.state() });
  // Many, so that pages of the file are divided, which leaves copies.
  for (const from of [0, 50, 100, 150]) {
    await Promise.all(users(from, from + 50).map((user) => ask(server, user)));
  }
  await ask(server, "ada");
  const saying = (content: string, before: readonly string[]) =>
    clientOf(server).chat.completions.create({
      ...asked(),
      messages: [...before, content].map((text) => ({ role: "user", content: text })),
    });
  await saying("Where is Quillfeather?", []);
  const { id } = await saying("And its bridge?", ["Where is Quillfeather?"]);
  await expect.poll(() => counted(server)).toBe(202);
  await expect.poll(() => feedback.rolloutKeysOf({ id })).toHaveLength(1);

  const { at: since } = (await registry.aliases("at-once")).history.at(-1) ?? { at: "" };
  const pair = { model: "at-once", baseline: exact, candidate: vague, since };
  const hashes = [
    { user: "ada", question: "", history: [] },
    { question: "Where is Quillfeather?", history: [] },
  ].map((person) => keyHash(work.state().hashed, pair, canaryKey(person)).toString("latin1"));
  const found = async (): Promise<readonly boolean[]> => {
    const names = (await readdir(folder)).filter((name) => name.startsWith("state.sqlite"));
    const files = names.map((name) => readFile(join(folder, name), "latin1"));
    const bytes = (await Promise.all(files)).join("");
    return hashes.map((hash) => bytes.includes(hash));
  };
  expect(await found()).toEqual([true, true]);
  const before = await onlyRollout(server);
  // As the command line does while the server runs.
  const beside = work.state();
  expect(beside.forget(feedback.rolloutKeysOf({ user: "ada" }))).toBe(1);
  expect(await found()).toEqual([false, true]);
  expect(beside.forget(feedback.rolloutKeysOf({ id }))).toBe(1);
  expect(await found()).toEqual([false, false]);
  expect(beside.forget(feedback.rolloutKeysOf({ user: "ada" }))).toBe(0);
  expect(await onlyRollout(server)).toEqual(before);

  await ask(server, "user-1");
  await ask(server, "ada");
  await expect.poll(() => counted(server)).toBe(203);
});

test("a conversation that begins with a secret is forgotten with its answer, which is kept without the secret", async () => {
  await using work = await rolledOut({ reply: answering("By the river.") });
  const secrets = ["lm-secret-1234"];
  const path = join(work.folder, "feedback.sqlite");
  using feedback = openFeedback({ path, isMade: true, secrets });
  const settings = { rollout: { canary: 0.5 }, feedback, secrets };
  await using server = await work.serve({ ...settings, state: work.state() });
  const said = ["Is lm-secret-1234 my key?", "And whose is this?"];
  const messages = said.map((content) => ({ role: "user" as const, content }));
  const ids: string[] = [];
  for (const asking of [messages.slice(0, 1), messages]) {
    const reply = await clientOf(server).chat.completions.create({ ...asked(), messages: asking });
    ids.push(reply.id);
  }
  await expect.poll(() => counted(server)).toBe(1);
  const [first = "", second = ""] = ids;
  await expect.poll(() => feedback.rolloutKeysOf({ id: second })).toHaveLength(1);
  const keys = feedback.rolloutKeysOf({ id: second });
  expect(keys).toEqual(feedback.rolloutKeysOf({ id: first }));
  expect(keys.join()).not.toContain("secret");
  expect(work.state().forget(keys)).toBe(1);
});

test("rollouts are told to nobody without a key", async () => {
  await using work = await rolledOut();
  const key = "k".repeat(40);
  const keys = apiKeysInClear(key, "test");
  await using server = await work.serve({ ...half, state: work.state(), keys });
  const get = (headers: Record<string, string>) => fetch(`${server.url}/v1/rollouts`, { headers });
  expect((await get({})).status).toBe(401);
  const told = await get({ authorization: `Bearer ${key}` });
  expect(await told.json()).toMatchObject({ object: "list", data: [{ status: "running" }] });
});

test("shares that leave nothing to compare with are refused", async () => {
  await using work = await rolledOut();
  const codes = await Promise.all(
    [{ canary: 1 }, { canary: -0.1 }, { shadow: 1.1 }, { alpha: 0 }, { tolerance: 1 }].map(
      async (rollout) => (await thrownBy(() => work.serve({ rollout, state: work.state() }))).code,
    ),
  );
  expect(new Set(codes)).toEqual(new Set(["option-invalid"]));
  expect((await thrownBy(() => work.serve(half))).message).toContain("openServeState");
});
