import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { apiKeysInClear, feedbackExample, openFeedback, readPreferences } from "espalier/serve";
import { mmuRag } from "../../../programs/r2rag/mmu-rag/index.ts";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { evaluate } from "../../programs/r2rag/mmu-rag/mmu-rag-client.ts";
import { asked, clientOf, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";
import { atWork, patient, rate } from "../feedback/at-work.ts";

test("an answer is rated by its id, whole or streamed, and the last word counts", async () => {
  await using work = await atWork();
  const whole = await work.client.chat.completions.create(asked("Where?", "towns/answerer"));
  const stream = await work.client.chat.completions.create({ ...asked(), stream: true });
  let streamedId = "";
  for await (const chunk of stream) streamedId = chunk.id;

  expect(await rate(work.server, { id: whole.id, rating: "up" })).toEqual({
    status: 200,
    body: { object: "feedback", id: whole.id, rating: "up" },
  });
  const correction = "At the ford.";
  await rate(work.server, { id: whole.id, rating: "down", comment: "No.", correction });
  await rate(work.server, { id: streamedId, rating: "up" });

  const [first, second] = [...work.store.rated()];
  expect(first).toMatchObject({ id: whole.id, rating: "down", comment: "No.", correction });
  expect(first).toMatchObject({ model: "towns/answerer", version: "declared", question: "Where?" });
  expect(first?.trace.children).toHaveLength(2);
  expect(second).toMatchObject({ id: streamedId, rating: "up", answer: "By the river." });

  const rows = [...work.store.rated()].map((row) => feedbackExample(row).example);
  expect(rows).toMatchObject([
    {
      input: { question: "Where?", history: [] },
      labels: { rating: "down", answer: correction, rejected: "By the river." },
    },
    {
      input: { question: "Where?" },
      labels: { rating: "up", answer: "By the river.", rejected: null },
    },
  ]);
});

test("an unknown id, another rating and an unknown field are refused", async () => {
  await using work = await atWork();
  expect(await rate(work.server, { id: "chatcmpl-0", rating: "up" })).toMatchObject({
    status: 404,
    body: { error: { code: "completion_not_found", param: "id" } },
  });
  const { id } = await work.client.chat.completions.create(asked());
  expect(await rate(work.server, { id, rating: "good" })).toMatchObject({
    status: 400,
    body: { error: { param: "rating" } },
  });
  expect((await rate(work.server, { id, rating: "up", score: 1 })).status).toBe(400);
});

test("what is not there without a feedback file is not found", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  expect((await rate(server, { id: "x", rating: "up" })).status).toBe(404);
});

test("rating asks for the same key as chatting, and no key gets into the file", async () => {
  const key = "esp-0123456789abcdefghijklmnopqrstuv";
  await using work = await atWork({ keys: apiKeysInClear(key, "test") });
  const { id } = await clientOf(work.server, key).chat.completions.create({
    ...asked(),
    user: "user-ada",
  });
  const rating = { id, rating: "up", user: "user-ada" };
  expect((await rate(work.server, rating)).status).toBe(401);
  const known = { authorization: `Bearer ${key}` };
  expect((await rate(work.server, rating, known)).status).toBe(200);
  const bytes = await work.bytes();
  expect(bytes).toContain("By the river.");
  expect(bytes).not.toContain(key);
  expect(bytes.toLowerCase()).not.toContain("bearer");
  expect(bytes.toLowerCase()).not.toContain("authorization");
});

test("an answer is rated by the key that asked, for the user it asked for, and unknown to others", async () => {
  const keys = ["a".repeat(40), "b".repeat(40)] as const;
  const known = apiKeysInClear(keys.join(), "test");
  await using work = await atWork({ keys: known });
  const [own, other] = keys.map((key) => ({ authorization: `Bearer ${key}` }));
  const { id } = await clientOf(work.server, keys[0]).chat.completions.create({
    ...asked(),
    user: "ada",
  });
  const correction = "At the ford.";
  expect((await rate(work.server, { id, rating: "up", user: "ada" }, own)).status).toBe(200);
  const unknown = await rate(work.server, { id: "chatcmpl-0", rating: "up" }, other);
  for (const [body, headers] of [
    [{ id, rating: "down", correction }, other],
    [{ id, rating: "down", correction, user: "ada" }, other],
    [{ id, rating: "down", correction, user: "bob" }, own],
    [{ id, rating: "down", correction }, own],
  ] as const) {
    expect(await rate(work.server, body, headers)).toEqual(unknown);
  }
  expect([...work.store.rated()]).toMatchObject([
    { apiKey: known.names[0], user: "ada", rating: "up", correction: null },
  ]);
  const again = { id, rating: "down", correction, user: "ada" };
  expect((await rate(work.server, again, own)).status).toBe(200);
  expect([...work.store.rated()]).toMatchObject([{ rating: "down", correction }]);
});

test("an answer that was given to no user is rated by its key, with or without a user", async () => {
  await using work = await atWork();
  const { id } = await work.client.chat.completions.create(asked());
  expect((await rate(work.server, { id, rating: "up" })).status).toBe(200);
  expect((await rate(work.server, { id, rating: "down", user: "ada" })).status).toBe(200);
});

test("a client's own id of a conversation is kept as a hash, whole or streamed", async () => {
  await using work = await atWork();
  const metadata = { conversation_id: "Quillfeather-7" };
  const { id } = await work.client.chat.completions.create({ ...asked("Where?"), metadata });
  const stream = await work.client.chat.completions.create({
    ...asked("When?"),
    metadata,
    stream: true,
  });
  let streamedId = "";
  for await (const chunk of stream) streamedId = chunk.id;
  const { id: apart } = await work.client.chat.completions.create(asked("Why?"));
  for (const each of [id, streamedId, apart]) await rate(work.server, { id: each, rating: "up" });
  const rows = [...work.store.rated()];
  const [first, second, third] = rows.map((row) => row.conversation);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
  const [cluster, same, other] = rows.map((row) => feedbackExample(row).example.cluster);
  expect(cluster).toBe(same);
  expect(other).not.toBe(cluster);
  expect(await work.bytes()).not.toContain(metadata.conversation_id);
});

test("known secrets are masked in what is kept of a run", async () => {
  const secret = "lm-server-key-5f2a";
  await using work = await atWork({}, { secrets: [secret] }, answering(`The key is ${secret}.`));
  await work.client.chat.completions.create(asked());
  await work.kept(1);
  const bytes = await work.bytes();
  expect(bytes.split(secret).length - 1).toBe(0);
});

test("metrics tell the share of liked answers by version, with its interval", async () => {
  await using work = await atWork({ adapters: [mmuRag({ model: "at-once" })] });
  for (const rating of ["up", "up", "down"]) {
    const { id } = await work.client.chat.completions.create(asked());
    await rate(work.server, { id, rating });
  }
  await evaluate(work.server, { query: "Where?", iid: 1 });
  await work.kept(4);
  expect(readPreferences(work.path)).toMatchObject([
    { model: "at-once", version: "declared", completions: 4, up: 2, down: 1 },
  ]);
  const text = await (await fetch(`${work.server.url}/metrics`)).text();
  expect(text).toContain(
    'espalier_feedback_ratings{model="at-once",version="declared",rating="up"} 2',
  );
  expect(text).toMatch(
    /espalier_feedback_preference\{model="at-once",version="declared",bound="ratio"\} 0\.666/,
  );
});

test("an erased answer is gone from the bytes of the file, with what was said after it", async () => {
  const body = "Sea".repeat(4_000);
  await using work = await atWork({}, {}, answering(`Zanzibar ${body}`));
  const ask = (content: string, user: string, before: readonly string[] = []) =>
    work.client.chat.completions.create({
      model: "towns/answerer",
      user,
      messages: [
        ...before.map((text, index) => ({
          role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
          content: text,
        })),
        { role: "user", content },
      ],
    });
  const first = await ask("Where is Quillfeather?", "user-ada");
  const answer = first.choices[0]?.message.content ?? "";
  const rating = { id: first.id, rating: "down", comment: "Wobblecomment", user: "user-ada" };
  await rate(work.server, rating);
  await ask("And its bridge?", "user-ada", ["Where is Quillfeather?", answer]);
  await ask("Where is Brindleby?", "bob");
  await work.kept(3);
  expect(await work.bytes()).toContain("Quillfeather");
  expect(await work.bytes()).toContain("Wobblecomment");

  // As the command line does while the server runs.
  using beside = openFeedback({ path: work.path });
  expect(beside.erase({ id: first.id })).toEqual({ completions: 1, quoting: 1 });
  const bytes = await work.bytes();
  const gone = ["Quillfeather", "Wobblecomment", "its bridge", first.id, "user-ada"];
  expect(gone.filter((text) => bytes.includes(text))).toEqual([]);
  expect(bytes).toContain("Brindleby");

  const later = await ask("Where is Larkspur?", "cleo");
  const liked = { id: later.id, rating: "up", user: "cleo" };
  expect((await rate(work.server, liked)).status).toBe(200);
  expect(work.store.erase({ user: "bob" })).toEqual({ completions: 1, quoting: 0 });
  expect(await work.bytes()).not.toMatch(/Brindleby|bob/);
  expect(work.store.erase({ user: "bob" })).toEqual({ completions: 0, quoting: 0 });
});

test("what is older than the days or more than the rows to be kept is erased", async () => {
  let day = 1;
  const now = (): Date => new Date(Date.UTC(2_100, 0, day));
  await using work = await atWork({}, { now, keepDays: 30, keepRows: 2 });
  const ids: string[] = [];
  for (const question of ["First?", "Second?", "Third?"]) {
    const { id } = await work.client.chat.completions.create(asked(question));
    ids.push(id);
  }
  const statuses = await Promise.all(
    ids.map(async (id) => (await rate(work.server, { id, rating: "up" })).status),
  );
  // The server's clock is today's, long before that of the store.
  expect(statuses).toEqual([404, 404, 404]);
  expect(readPreferences(work.path)).toMatchObject([{ completions: 2 }]);
  expect(await work.bytes()).not.toContain("First?");
  day = 2;
  const writer = work.store.writer(() => undefined);
  await writer.prune();
  await writer.close(0);
  expect(readPreferences(work.path)).toEqual([]);
  expect(await work.bytes()).not.toMatch(/Second\?|Third\?/);
});

test("an answer that cannot be kept is given all the same, and the log says so", async () => {
  const lines: string[] = [];
  await using work = await atWork({ log: (line) => lines.push(line) });
  await rm(work.path);
  await mkdir(work.path);
  const reply = await work.client.chat.completions.create(asked());
  expect(reply.choices[0]?.message.content).toBe("By the river.");
  await expect
    .poll(() => lines.some((line) => line.includes("feedback-unwritten")), patient)
    .toBe(true);
});

test("another program's file is refused", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "missing.sqlite");
  expect(() => openFeedback({ path })).toThrow(/no feedback file/);
  expect(() => openFeedback({ path: "package.json" })).toThrow(/cannot be used/);
});
