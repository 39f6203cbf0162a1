import { describe, expect, it } from "vitest";
import type { PassageReranker } from "espalier";
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
