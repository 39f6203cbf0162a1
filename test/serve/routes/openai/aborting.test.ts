import { program, text } from "espalier";
import { chatModel, serving } from "espalier/serve";
import { expect, test, vi } from "vitest";
import { beginStream, sendPiece, upstream } from "../../upstream.ts";
import { asked, atOnce, clientOf, served } from "../../served.ts";
import { holdTimers } from "../../../support/hold-timers.ts";

const patience = { timeout: 60_000, interval: 10 };

test("a client that leaves a stream ends the request to the language model", async () => {
  await using lm = await upstream((response) => {
    beginStream(response);
    sendPiece(response, '{"answer": "The');
  });
  const lines: string[] = [];
  await using server = await served(lm, { log: (line) => lines.push(line) });
  const stream = await clientOf(server).chat.completions.create({ ...asked(), stream: true });
  for await (const { choices } of stream) {
    if (choices[0]?.delta.content === "The") break;
  }
  await vi.waitFor(() => expect(lm.givenUp()).toBe(1), patience);
  const counted = await metrics(server.url);
  expect(counted).toContain(
    'espalier_chats_total{model="at-once",version="declared",status="499"} 1',
  );
  expect(counted).toContain("espalier_chats_running 0");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: "chat", status: 499, lmCalls: 1, failure: "aborted" },
  ]);
});

test("a client that leaves before a whole reply ends the request to the language model", async () => {
  await using lm = await upstream(() => undefined);
  await using server = await served(lm);
  const controller = new AbortController();
  const reply = clientOf(server).chat.completions.create(asked(), { signal: controller.signal });
  const ended = reply.catch(String);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  controller.abort();
  expect(await ended).toContain("aborted");
  await vi.waitFor(() => expect(lm.givenUp()).toBe(1), patience);
});

test("the deadline ends the request to the language model and is told, in a stream as an event", async () => {
  let arrived = Promise.withResolvers<void>();
  await using lm = await upstream(() => arrived.resolve());
  await using server = await served(lm, { deadlineMs: 1_000 });
  const { completions } = clientOf(server).chat;
  holdTimers();
  const whole = completions.create(asked()).catch((error: unknown) => error);
  await arrived.promise;
  vi.advanceTimersByTime(1_000);
  expect(await whole).toMatchObject({
    status: 504,
    code: "deadline_exceeded",
    type: "server_error",
  });
  arrived = Promise.withResolvers();
  const stream = await completions.create({ ...asked(), stream: true });
  const pieces = Array.fromAsync(stream).catch((error: unknown) => error);
  await arrived.promise;
  vi.advanceTimersByTime(1_000);
  expect(await pieces).toMatchObject({ code: "deadline_exceeded" });
  await vi.waitFor(() => expect(lm.givenUp()).toBe(2), patience);
});

test("a program that passes over the deadline keeps neither the client nor a slot", async () => {
  const begun = Promise.withResolvers<void>();
  const deaf = program({
    name: "deaf",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: atOnce.predictors,
    forward: async ({ question }) => {
      if (question === "Now?") return { answer: "Now." };
      begun.resolve();
      return new Promise<never>(() => undefined);
    },
  });
  const model = chatModel({
    id: "deaf",
    program: deaf,
    inputOf: ({ question }) => ({ question }),
    answerOf: ({ answer }) => ({ answer }),
  });
  await using lm = await upstream(() => undefined);
  await using server = await served(lm, {
    serving: serving({ name: "deaf", models: [model] }),
    deadlineMs: 1_000,
    concurrency: 1,
  });
  const { completions } = clientOf(server).chat;
  holdTimers();
  const late = completions.create(asked("Ever?", "deaf")).catch((error: unknown) => error);
  await begun.promise;
  vi.advanceTimersByTime(3_000);
  expect(await late).toMatchObject({ status: 504, code: "deadline_exceeded" });
  const { choices } = await completions.create(asked("Now?", "deaf"));
  expect(choices[0]?.message.content).toBe("Now.");
});

test("more questions than may wait are refused with the time to come back", async () => {
  const released = Promise.withResolvers<void>();
  await using lm = await upstream(async (response) => {
    await released.promise;
    response.writeHead(500).end();
  });
  await using server = await served(lm, { concurrency: 1, queue: 1 });
  const { completions } = clientOf(server).chat;
  const first = completions.create(asked()).catch((error: unknown) => error);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  const second = completions.create(asked()).catch((error: unknown) => error);
  await vi.waitFor(async () => {
    expect(await metrics(server.url)).toContain("espalier_chats_waiting 1");
  }, patience);
  for (const stream of [false, true]) {
    const refused = await completions
      .create({ ...asked(), stream })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, code: "server_busy", type: "rate_limit_error" });
    const { headers } = refused as { readonly headers: Headers };
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  released.resolve();
  await Promise.all([first, second]);
  expect(lm.requests).toHaveLength(2);
});

test("a stream that is refused leaves no timer behind", async () => {
  await using lm = await upstream(() => undefined);
  await using server = await served(lm, { concurrency: 1, queue: 0 });
  const leaving = new AbortController();
  const { completions } = clientOf(server).chat;
  const first = completions.create(asked(), { signal: leaving.signal }).catch(String);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  for (let count = 0; count < 20; count++) {
    const refused = completions.create({ ...asked(), stream: true });
    await expect(refused).rejects.toMatchObject({ status: 429 });
  }
  expect(timers() - before).toBeLessThan(10);
  leaving.abort();
  await first;
});

test("a shutdown lets streams end, refuses new questions, and is bounded", async () => {
  const released = Promise.withResolvers<void>();
  await using lm = await upstream(async (response) => {
    beginStream(response);
    sendPiece(response, '{"answer": "The');
    await released.promise;
    sendPiece(response, ' end."}');
    response.end(
      [
        { model: "scripted", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        { model: "scripted", choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
      ]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(""),
    );
  });
  const server = await served(lm, { drainMs: 5_000 });
  const stream = await clientOf(server).chat.completions.create({ ...asked(), stream: true });
  const text = (async () => {
    let content = "";
    for await (const { choices } of stream) content += choices[0]?.delta.content ?? "";
    return content;
  })();
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  const stopped = server.stop();
  await expect(fetch(`${server.url}/health`)).rejects.toThrow("fetch failed");
  released.resolve();
  expect(await text).toBe("The end.");
  await stopped;
});

test("a shutdown ends what does not end by itself, and says so", async () => {
  await using lm = await upstream((response) => beginStream(response));
  const server = await served(lm, { drainMs: 50 });
  const stream = await clientOf(server).chat.completions.create({ ...asked(), stream: true });
  const ended = Array.fromAsync(stream).catch((error: unknown) => error);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  await server.stop();
  expect(await ended).toMatchObject({ code: "server_stopping" });
  await expect.poll(() => lm.givenUp()).toBe(1);
});

async function metrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  return response.text();
}
