import { describe, expect, it } from "vitest";
import type { LanguageModel, LmCallOptions, PassageReranker, RunOptions } from "espalier";
import { predict, program, signature, text } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

/** Shorter texts first. */
const brevity: PassageReranker = {
  name: "brevity",
  version: "1",
  doRerank: async ({ query, passages, k }, { signal }) => {
    if (query === "fail") throw new Error("no order in this");
    signal?.throwIfAborted();
    return passages
      .map((passage) => ({ ...passage, score: -passage.text.length }))
      .toSorted((left, right) => right.score - left.score)
      .slice(0, k);
  },
};

const passages = [
  { id: "long", text: "a long text" },
  { id: "short", text: "text" },
  { id: "middle", text: "a text" },
];

const brief = program({
  name: "brief",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { answer: predict(answer) },
  forward: async ({ question }, { at, rerank }) => {
    await rerank(brevity, { query: question, passages, k: 2, key: "all" });
    const step = at("hop", 1);
    const [first] = await step.rerank(brevity, { query: `${question}!`, passages, k: 1 });
    return { answer: first?.id ?? "none" };
  },
});

describe("a program that reranks", () => {
  it("gets the best passages, and leaves their ids in the trace", async () => {
    await using server = await scriptedLm(() => "unused");
    const attempt = await brief.attempt({ question: "why" }, { lm: server.lm });
    expect(attempt).toMatchObject({
      state: "completed",
      output: { answer: "short" },
      trace: {
        children: [
          {
            kind: "retrieval",
            path: "brevity[all]",
            retriever: "brevity",
            query: "why",
            k: 2,
            results: [
              { id: "short", score: -4 },
              { id: "middle", score: -6 },
            ],
          },
          {
            kind: "scope",
            path: "hop[1]",
            children: [{ path: "hop[1]/brevity", query: "why!", results: [{ id: "short" }] }],
          },
        ],
      },
    });
  });

  it("fails with what the reranker threw, and the trace says so", async () => {
    await using server = await scriptedLm(() => "unused");
    const { trace } = await brief.attempt({ question: "fail" }, { lm: server.lm });
    expect(trace.children).toMatchObject([
      {
        path: "brevity[all]",
        results: [],
        failure: { kind: "program", message: "Error: no order in this" },
      },
    ]);
    const run = brief.run({ question: "fail" }, { lm: server.lm });
    await expect(run).rejects.toMatchObject({ code: "program-failed" });
  });

  it("refuses two calls at one path, as for every call", async () => {
    await using server = await scriptedLm(() => "unused");
    const careless = program({
      ...brief,
      name: "careless",
      forward: async ({ question }, { rerank }) => {
        await rerank(brevity, { query: question, passages, k: 1 });
        await rerank(brevity, { query: question, passages, k: 1 });
        return { answer: "" };
      },
    });
    const run = careless.run({ question: "why" }, { lm: server.lm });
    await expect(run).rejects.toMatchObject({ code: "call-path-repeated" });
  });
});

/** Shorter names first, as an LM says by writing the length; one request for each passage. */
const asked: PassageReranker = {
  name: "asked",
  version: "1",
  doRerank: async ({ passages: given, k }, { lm }) => {
    if (lm === undefined) throw new Error("no LM");
    const ranked = await Promise.all(
      given.map(async (passage) => {
        const messages = [{ role: "user" as const, content: passage.id }];
        const request = { messages, sampling: predict(answer).settings.sampling, seed: 7 };
        const { content } = await lm.doGenerate(request, { callPath: passage.id, role: "student" });
        return { ...passage, score: -Number(content) };
      }),
    );
    return ranked.toSorted((left, right) => right.score - left.score).slice(0, k);
  },
};

const asking = program({
  ...brief,
  name: "asking",
  forward: async ({ question }, { at, rerank }) => {
    const [first] = await rerank(asked, { query: question, passages, k: 1 });
    await at("hop", 1).rerank(asked, { query: question, passages, k: 1 });
    return { answer: first?.id ?? "none" };
  },
});

describe("a program whose reranker asks an LM", () => {
  const observed = async (delaysMs: readonly number[], options: Partial<RunOptions> = {}) => {
    await using server = await scriptedLm(({ messages }, index) => ({
      content: String(messages[0]?.content.length),
      delayMs: delaysMs[index % 3] ?? 0,
    }));
    const heard: LmCallOptions[] = [];
    const lm: LanguageModel = {
      identity: server.lm.identity,
      doGenerate: (request, given = {}) => {
        heard.push(given);
        return server.lm.doGenerate(request, given);
      },
    };
    const attempt = await asking.attempt({ question: "why" }, { lm, ...options });
    return { attempt, heard, seeds: server.received.map(({ seed }) => seed) };
  };

  it("lends it the run's, with role and path of each call, whatever the reranker says", async () => {
    const { attempt, heard } = await observed([], { exampleId: "e1", repetition: 2 });
    expect(attempt).toMatchObject({ state: "completed", output: { answer: "long" } });
    expect(heard.map(({ callPath }) => callPath)).toEqual([
      "asked/long",
      "asked/short",
      "asked/middle",
      "hop[1]/asked/long",
      "hop[1]/asked/short",
      "hop[1]/asked/middle",
    ]);
    for (const call of heard) {
      expect(call).toMatchObject({ role: "reranking", exampleId: "e1", repetition: 2 });
    }
  });

  it("keeps its calls in the trace, in the order they began, however fast each is answered", async () => {
    const [slow, fast] = await Promise.all([observed([20, 10, 0]), observed([0, 10, 20])]);
    const calls = ({ attempt }: typeof slow) =>
      attempt.trace.children.map((node) =>
        node.kind === "retrieval"
          ? node.calls?.map(({ messages, seed, rawText }) => [messages[0]?.content, seed, rawText])
          : node.kind === "scope" && node.children.length,
      );
    expect(calls(slow)).toEqual(calls(fast));
    expect(new Set(slow.seeds).size).toBe(6);
    expect(calls(slow)[0]).toMatchObject([
      ["long", expect.any(Number), "4"],
      ["short", expect.any(Number), "5"],
      ["middle", expect.any(Number), "6"],
    ]);
  });

  it("lends it the one that `lms` holds under its name", async () => {
    await using other = await scriptedLm(() => "1");
    const { heard } = await observed([], { lms: { asked: other.lm } });
    expect(heard).toEqual([]);
    expect(other.received).toHaveLength(6);
  });

  it("numbers calls that have one name", async () => {
    const paths: (string | undefined)[] = [];
    await using server = await scriptedLm(() => "1");
    const lm: LanguageModel = {
      identity: server.lm.identity,
      doGenerate: (request, options = {}) => {
        paths.push(options.callPath);
        return server.lm.doGenerate(request, options);
      },
    };
    const twice = [passages[0], { ...passages[1], id: "long" }] as typeof passages;
    const repeating = program({
      ...brief,
      name: "repeating",
      forward: async ({ question }, { rerank }) => {
        await rerank(asked, { query: question, passages: twice, k: 1 });
        return { answer: "" };
      },
    });
    await repeating.run({ question: "why" }, { lm });
    expect(paths).toEqual(["asked/long", "asked/long+1"]);
    expect(server.received[0]?.seed).not.toBe(server.received[1]?.seed);
  });

  it("passes on what the LM failed with, and has the failed calls in the trace", async () => {
    await using server = await scriptedLm(() => ({ status: 503, body: "{}" }));
    const { trace } = await asking.attempt({ question: "why" }, { lm: server.lm });
    expect(trace.failure).toMatchObject({ kind: "infrastructure" });
    expect(trace.children).toMatchObject([{ path: "asked", results: [] }]);
    const [node] = trace.children;
    // The first failure ends the ranking; what has not ended by then is left out.
    const [call] = (node?.kind === "retrieval" && node.calls) || [];
    expect(call).toMatchObject({ rawText: null, failure: { code: "lm-unavailable" } });
  });
});
