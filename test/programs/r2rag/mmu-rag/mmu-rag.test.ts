import type { ChatServerOptions } from "espalier/serve";
import { mmuRag } from "../../../../programs/r2rag/mmu-rag/index.ts";
import { expect, test, vi } from "vitest";
import { served } from "../../../serve/served.ts";
import type { Reply, Upstream } from "../../../serve/upstream.ts";
import { answering, beginStream, endStream, sendPiece, upstream } from "../../../serve/upstream.ts";
import { evaluate, run } from "./mmu-rag-client.ts";

const patience = { timeout: 60_000, interval: 10 };

const atRun = (lm: Upstream, model = "towns/answerer", options: Partial<ChatServerOptions> = {}) =>
  served(lm, { adapters: [mmuRag({ model })], ...options });

const refusing: Reply = (response) => {
  response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: "secret-host is down" } }));
};

test("a run's steps and report are cumulative, and a separator goes between steps", async () => {
  await using lm = await upstream(answering("There, at the river.", 6));
  await using server = await atRun(lm);
  const { response, events, text } = await run(server, { question: "Where is Ostrel?" });

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(response.headers.get("connection")).toBe("keep-alive");
  expect(text).not.toContain("[DONE]");

  const steps = "Thinking\n|||---|||Writing\n";
  expect(events.slice(0, 2)).toEqual([
    {
      intermediate_steps: "Thinking\n",
      final_report: null,
      is_intermediate: true,
      complete: false,
    },
    { intermediate_steps: steps, final_report: null, is_intermediate: true, complete: false },
  ]);
  const reports = events.slice(2);
  expect(reports.length).toBeGreaterThan(2);
  let before = "";
  for (const event of reports.slice(0, -1)) {
    expect(event).toMatchObject({
      intermediate_steps: steps,
      is_intermediate: false,
      complete: false,
    });
    const report = String(event["final_report"]);
    expect(report.startsWith(before) && report.length > before.length).toBe(true);
    before = report;
  }
  expect(events.at(-1)).toEqual({
    intermediate_steps: steps,
    final_report: "There, at the river.",
    is_intermediate: false,
    complete: true,
    citations: ["https://a.example/1", "urn:passage:p2"],
  });
  expect(events.filter(({ complete }) => complete)).toHaveLength(1);
});

test("what was never said is null, and an answer without sources has no citations", async () => {
  await using lm = await upstream(answering("There.", 1));
  await using server = await atRun(lm, "at-once");
  const { events } = await run(server, { question: "Where?" });
  expect(events.at(-1)).toEqual({
    intermediate_steps: null,
    final_report: "There.",
    is_intermediate: false,
    complete: true,
  });
});

test("a reply that cannot be used is taken back: the report begins anew", async () => {
  let calls = 0;
  await using lm = await upstream((response, request) => {
    calls += 1;
    if (calls > 1) return answering("Right.", 2)(response, request);
    beginStream(response);
    sendPiece(response, '{"answer": "Wro');
    sendPiece(response, 'ng.", "other": }');
    endStream(response);
  });
  await using server = await atRun(lm, "at-once");
  const { events } = await run(server, { question: "Where?" });
  const reports = events.map((event) => event["final_report"]);
  expect(reports).toContain("Wro");
  expect(reports).toContain(null);
  expect(events.at(-1)).toMatchObject({ final_report: "Right.", complete: true });
});

test("a run that fails ends with an error, keeps what was said, and tells nothing of the inside", async () => {
  await using lm = await upstream((response, request) =>
    request.stream === true ? refusing(response, request) : answering("Draft.")(response, request),
  );
  await using server = await atRun(lm);
  const { events, text } = await run(server, { question: "Where?" });
  const last = events.at(-1);
  expect(last).toMatchObject({
    intermediate_steps: "Thinking\n|||---|||Writing\n",
    final_report: null,
    complete: true,
  });
  expect(String(last?.["error"])).toMatch(/^Error processing request: \S/);
  expect(last).not.toHaveProperty("is_intermediate");
  expect(text).not.toContain("secret-host");
});

test("a question that is missing or empty is refused with a status and a detail", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await atRun(lm);
  const { response, text } = await run(server, { query: "Where?" });
  expect(response.status).toBe(400);
  expect(text).toContain("`question`");
  expect((await run(server, { question: " " })).response.status).toBe(400);
  expect(await evaluate(server, { query: "Where?" })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining("`iid`"), error: { param: "iid" } },
  });
  expect(lm.requests).toHaveLength(0);
});

test("a client that leaves ends the upstream's request", async () => {
  const asked = Promise.withResolvers<void>();
  await using lm = await upstream((response) => {
    beginStream(response);
    sendPiece(response, '{"answer": "The ');
    asked.resolve();
  });
  await using server = await atRun(lm, "at-once");
  const leave = new AbortController();
  const left = run(server, { question: "Where?" }, { signal: leave.signal }).catch(() => "left");
  await asked.promise;
  leave.abort();
  expect(await left).toBe("left");
  await expect.poll(lm.givenUp).toBe(1);
});

test("a client that leaves an evaluation ends the upstream's request", async () => {
  await using lm = await upstream(() => undefined);
  await using server = await atRun(lm);
  const gone = new AbortController();
  const left = fetch(`${server.url}/evaluate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "Where?", iid: 1 }),
    signal: gone.signal,
  }).catch(String);
  await vi.waitFor(() => expect(lm.requests).toHaveLength(1), patience);
  gone.abort();
  expect(await left).toContain("AbortError");
  await vi.waitFor(() => expect(lm.givenUp()).toBe(1), patience);
});

test("an evaluation is one object with the answer, its addresses and its texts", async () => {
  await using lm = await upstream(answering("  There.\n"));
  await using server = await atRun(lm);
  expect(await evaluate(server, { query: "Where?", iid: "q-7" })).toEqual({
    status: 200,
    body: {
      query_id: "q-7",
      generated_response: "There.",
      citations: ["https://a.example/1", "urn:passage:p2"],
      contexts: ["Ostrel lies at a river.", "The bridge is of iron."],
    },
  });
});

test("an empty answer and a failed run have their sentences in an evaluation", async () => {
  await using silent = await upstream(answering(" "));
  await using first = await atRun(silent, "at-once");
  expect(await evaluate(first, { query: "Where?", iid: 7 })).toMatchObject({
    status: 200,
    body: { query_id: 7, generated_response: "No response generated" },
  });
  await using broken = await upstream(refusing);
  await using second = await atRun(broken, "at-once");
  expect(await evaluate(second, { query: "Where?", iid: "q" })).toEqual({
    status: 200,
    body: {
      query_id: "q",
      generated_response: expect.stringMatching(/^Error processing query: \S/),
      citations: [],
      contexts: [],
    },
  });
});

test("an evaluation of a model that is not served is an error with a detail", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await atRun(lm, "nowhere");
  expect(await evaluate(server, { query: "Where?", iid: "q" })).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining("nowhere") },
  });
});

test("its clients are told that the server is healthy, and what answers them", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await atRun(lm);
  const response = await fetch(`${server.url}/health`);
  expect(await response.json()).toMatchObject({ status: "healthy", systems: ["towns/answerer"] });
});
