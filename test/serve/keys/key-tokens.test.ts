import { program, text } from "espalier";
import type { KeyUsage } from "espalier/serve";
import { chatModel, serving } from "espalier/serve";
import { expect, test, vi } from "vitest";
import { atOnce, asked, clientOf } from "../served.ts";
import type { UpstreamRequest } from "../upstream.ts";
import { answering, beginStream, sendPiece, upstream } from "../upstream.ts";
import { holdTimers } from "../../support/hold-timers.ts";
import { alice, ask, bob, codeOf, keyed, patience, tokensToday } from "./keyed.ts";

const charactersOf = (request: UpstreamRequest | undefined): number =>
  (request?.messages ?? []).reduce((sum, { content }) => sum + content.length, 0);

test("a client that leaves before the usage came pays for the prompt and the pieces that came", async () => {
  const piece = '{"answer": "The river';
  await using lm = await upstream((response) => {
    beginStream(response);
    sendPiece(response, piece);
  });
  await using door = await keyed(lm, [`${alice.line} tokens-per-day=1`, bob.line]);
  const { server } = door;
  const { completions } = clientOf(server, alice.key).chat;
  const stream = await completions.create({ ...asked(), stream: true });
  for await (const { choices } of stream) if (choices[0]?.delta.content === "The river") break;
  const paid = await vi.waitFor(async () => {
    const tokens = await tokensToday(server, bob, "alice");
    expect(tokens).toBeGreaterThan(0);
    return tokens;
  }, patience);
  expect(paid).toBe(Math.ceil((charactersOf(lm.requests[0]) + piece.length) / 4));
  const refused = await ask(server, alice);
  expect([refused.status, await codeOf(refused)]).toEqual([429, "insufficient_quota"]);
});

test("a client that leaves before a whole reply pays for the prompt", async () => {
  await using lm = await upstream(() => undefined);
  await using door = await keyed(lm, [alice.line, bob.line]);
  const { server } = door;
  const leaving = new AbortController();
  const { completions } = clientOf(server, alice.key).chat;
  const gone = completions.create(asked(), { signal: leaving.signal }).catch(String);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  leaving.abort();
  await gone;
  await vi.waitFor(async () => {
    const paid = Math.ceil(charactersOf(lm.requests[0]) / 4);
    expect(await tokensToday(server, bob, "alice")).toBe(paid);
  }, patience);
});

test("a call that the LM's server refuses costs a key nothing", async () => {
  await using lm = await upstream((response) => void response.writeHead(500).end());
  await using door = await keyed(lm, [alice.line, bob.line]);
  expect((await ask(door.server, alice)).status).toBeGreaterThanOrEqual(500);
  expect(await tokensToday(door.server, bob, "alice")).toBe(0);
});

test("a run that passes over its end pays for what it asked before", async () => {
  const answered = Promise.withResolvers<void>();
  const deaf = program({
    name: "deaf",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: atOnce.predictors,
    forward: async ({ question }, call) => {
      await call.predictors.answer({ question, history: [] });
      answered.resolve();
      return new Promise<{ answer: string }>(() => undefined);
    },
  });
  const model = chatModel({
    id: "deaf",
    program: deaf,
    inputOf: ({ question }) => ({ question }),
    answerOf: ({ answer }) => ({ answer }),
  });
  await using lm = await upstream(answering("There."));
  await using door = await keyed(lm, [alice.line, bob.line], {
    serving: serving({ name: "deaf", models: [model] }),
    deadlineMs: 1_000,
  });
  const { completions } = clientOf(door.server, alice.key).chat;
  holdTimers();
  const late = completions.create(asked("Ever?", "deaf")).catch((error: unknown) => error);
  await answered.promise;
  vi.advanceTimersByTime(3_000);
  expect(await late).toMatchObject({ status: 504 });
  expect(await tokensToday(door.server, bob, "alice")).toBe(15);
});

test("counts that cannot be kept cost no answer; the log and /ready tell, also of the end", async () => {
  let isBroken = true;
  const keyUsage: KeyUsage = {
    tokensOn: () => 0,
    add: () => {
      if (isBroken) throw new Error("The disk is full.");
    },
  };
  await using lm = await upstream(answering("There."));
  await using door = await keyed(lm, [alice.line], { keyUsage });
  const { server, log } = door;
  const ready = async () => (await fetch(`${server.url}/ready`)).json();
  const told = (state: string) => ({
    status: "ready",
    checks: { keys: "ok", "key-usage": state },
  });
  const stream = await clientOf(server, alice.key).chat.completions.create({
    ...asked(),
    stream: true,
  });
  const pieces = await Array.fromAsync(stream);
  expect(pieces.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  await vi.waitFor(
    async () => expect(await ready()).toEqual(told("serve-state-unusable")),
    patience,
  );
  await vi.waitFor(() => expect(log.join()).toContain("The disk is full."), patience);
  isBroken = false;
  expect((await ask(server, alice)).status).toBe(200);
  await vi.waitFor(async () => expect(await ready()).toEqual(told("ok")), patience);
  await vi.waitFor(() => expect(log.join()).toContain("key-usage-written"), patience);
  expect(log.filter((line) => line.includes("key-usage-unwritten"))).toHaveLength(1);
});
