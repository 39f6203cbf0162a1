import { describe, expect, it } from "vitest";
import { vanillaRag } from "../../../programs/r2rag/index.ts";
import { refuse } from "../../support/vllm-server.ts";
import type { Script } from "./town.ts";
import { answered, numbersIn, page, parameter, pathsOf, question, town } from "./town.ts";

/** Runs it once; everything that was sent and made. */
async function ran(script: Script = {}, parameters: Readonly<Record<string, number>> = {}) {
  await using there = await town(script);
  const candidate = Object.entries(parameters).map(([path, value]) => parameter(path, value));
  const program = vanillaRag({ ...there.parts, knowledgeCutoff: "May 2024" }).with(candidate);
  const attempt = await program.attempt({ question }, { lm: there.lm });
  const [prompt = ""] = there.prompts("write-cited-answer");
  return { ...there, attempt, prompt, queries: there.searches.map((each) => each.parameters) };
}

describe("Vanilla RAG", () => {
  it("varies, searches, reranks and answers", async () => {
    const { attempt, queries, prompt } = await ran();
    expect(attempt).toMatchObject({ state: "completed", output: { answer: answered } });
    expect(pathsOf(attempt.trace)).toEqual([
      "varyQuery",
      "search[1]",
      "search[2]",
      "search[3]",
      "qwen3Reranker",
      "writeCitedAnswer",
    ]);
    expect(queries.toSorted((a, b) => (a["query"] ?? "").localeCompare(b["query"] ?? ""))).toEqual([
      { query: question, k: "10" },
      { query: `${question} one`, k: "10" },
      { query: `${question} two`, k: "10" },
    ]);
    expect(numbersIn(prompt)).toEqual([1, 2, 3]);
    expect(prompt).toContain(
      `Documents: <text>\n[1] https://When-was-the-bridge-finished-.example/ | 2024-05-01\n(0.9) Told w1`,
    );
    expect(attempt.trace.notes).toEqual({});
  });

  it("asks for three variants, and takes no more, nor blank ones and repeats", async () => {
    const queries = [` ${question.toUpperCase()}`, "a", " ", "b  b", "c", "d"];
    const { prompts, queries: sent } = await ran({
      steps: { "vary-query": () => ({ queries }) },
    });
    expect(prompts("vary-query")).toEqual([`Query: ${question}\n\nCount: 3\n`]);
    expect(sent.map(({ query }) => query).toSorted()).toEqual([question, "a", "b b"].toSorted());
    const more = await ran({ steps: { "vary-query": () => ({ queries }) } }, { variants: 5 });
    expect(more.prompts("vary-query")[0]).toContain("Count: 5");
    expect(more.queries).toHaveLength(5);
  });

  it("searches for the question alone where no variants could be had, and says so", async () => {
    for (const reply of ["no JSON at all", refuse(500, "out of memory")]) {
      const { attempt, queries } = await ran({ steps: { "vary-query": () => reply } });
      expect(attempt.state).toBe("completed");
      expect(queries).toEqual([{ query: question, k: "10" }]);
      expect(attempt.trace.notes).toEqual({ variantsFailed: expect.any(String) as string });
    }
  });

  it("goes on without a search that fails, and says which", async () => {
    const { attempt, prompt } = await ran({
      search: (query) => (query.endsWith("one") ? { status: 500, body: "down" } : [page(query)]),
    });
    expect(numbersIn(prompt)).toEqual([1, 2]);
    expect(attempt.trace.notes).toEqual({
      searchesFailed: [expect.stringMatching(/^When was the bridge finished\? one: .*500/)],
    });
  });

  it("fails where the search engine refuses its key: that is no fault that passes", async () => {
    const { attempt } = await ran({ search: () => ({ status: 401, body: "no key" }) });
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "search-refused" } });
  });

  it("takes a document once, whatever finds it", async () => {
    const { scored, attempt } = await ran({ search: () => [page("p1"), page("p2")] });
    expect(scored[0].text_2).toHaveLength(2);
    expect(attempt).toMatchObject({ output: { citations: [{ id: "p1" }, { id: "p2" }] } });
  });

  it("keeps what is above the threshold, best first, and gives all of it as citations", async () => {
    const pages = [
      page("low", { score: 0.6 }),
      page("middle", { score: 0.61 }),
      page("high", { score: 0.99 }),
    ];
    const { attempt, prompt } = await ran({ search: () => pages });
    if (attempt.state === "failed") throw attempt.error;
    expect(attempt.output.citations).toEqual([
      {
        id: "high",
        text: pages[2]?.text,
        metadata: { url: "https://high.example/", date: "2024-05-01" },
        score: 0.99,
      },
      expect.objectContaining({ id: "middle", score: 0.61 }) as object,
    ]);
    expect(prompt).toMatch(/\[1\] https:\/\/high\.example[^]*\[2\] https:\/\/middle\.example/);
    const lower = await ran({ search: () => pages }, { threshold: 0.5 });
    expect(numbersIn(lower.prompt)).toEqual([1, 2, 3]);
  });

  it("lets the reranker read query, address and the first words, in the model's template", async () => {
    const { scored } = await ran({ search: () => [page("p1", { words: 9 })] }, { rerankWords: 50 });
    expect(scored[0]).toEqual({
      model: "town",
      text_1: expect.stringMatching(
        /^<\|im_start\|>system\n[^]*<Instruct>: A web page [^]*<Query>: When was the bridge finished\?\n$/,
      ) as string,
      text_2: [
        expect.stringMatching(
          /^<Document>: Web address: https:\/\/p1\.example\/\n\n\(0\.9\) Told w1[^]*<think>\n\n<\/think>\n\n$/,
        ),
      ],
    });
    const long = await ran({ search: () => [page("p1", { words: 4_100 })] });
    expect(long.scored[0].text_2[0]).toContain("w3998<|im_end|>");
    expect(long.scored[0].text_2[0]).not.toContain("w3999");
  });

  it("answers from nothing where the reranker fails, or all is below the threshold", async () => {
    const failing = await ran({ score: refuse(500, "out of memory") });
    expect(failing.attempt.trace.notes).toMatchObject({
      rerankingFailed: expect.stringContaining("500") as string,
    });
    const poor = await ran({ search: (query) => [page(query, { score: 0.3 })] });
    const none = await ran({ search: () => [] });
    for (const { attempt, prompt } of [failing, poor, none]) {
      expect(attempt).toMatchObject({ output: { answer: answered, citations: [] } });
      expect(prompt).toContain("Documents: (empty)");
    }
    expect(none.scored).toEqual([]);
  });

  it("takes documents up to 5,000 words, and stops at the first that does not fit", async () => {
    const pages = [3_000, 2_000, 1].map((words, index) =>
      page(`p${index}`, { words, score: 0.99 - index / 100 }),
    );
    const { prompt } = await ran({ search: () => pages });
    expect(numbersIn(prompt)).toEqual([1, 2]);
    const fewer = await ran({ search: () => pages }, { wordBudget: 4_999 });
    expect(numbersIn(fewer.prompt)).toEqual([1]);
  });

  it("cuts a first document that does not fit to half the budget", async () => {
    const pages = [page("p1", { words: 6_000, score: 0.99 }), page("p2")];
    const { attempt, prompt } = await ran({ search: () => pages });
    expect(attempt).toMatchObject({ output: { citations: [{ id: "p1" }] } });
    expect(prompt).toMatch(/w2497 w2498\n/);
  });

  it("tells the generator the time and how far the index reaches, if these are known", async () => {
    await using there = await town();
    const currentTime = "2025-11-01 12:00";
    const cutoff = { knowledgeCutoff: "May 2024" } as const;
    await vanillaRag({ ...there.parts, ...cutoff }).run({ question, currentTime }, there);
    await vanillaRag(there.parts).run({ question }, there);
    const [told, untold] = there.prompts("write-cited-answer");
    expect(told).toMatch(/Knowledge Cutoff: May 2024\n\nCurrent Time: 2025-11-01 12:00/);
    expect(untold).toMatch(/Knowledge Cutoff: \(empty\)\n\nCurrent Time: \(empty\)/);
  });

  it("asks as the authors did, unless told otherwise", async () => {
    await using there = await town();
    const sampling = { temperature: 0, maxCompletionTokens: 512 };
    await vanillaRag(there.parts).run({ question }, there);
    await vanillaRag({ ...there.parts, sampling }).run({ question }, there);
    for (const step of ["vary-query", "write-cited-answer"] as const) {
      expect(there.bodies(step)).toMatchObject([
        {
          temperature: 0.6,
          top_p: 0.95,
          max_completion_tokens: 4_096,
          chat_template_kwargs: { enable_thinking: true },
        },
        { temperature: 0, max_completion_tokens: 512 },
      ]);
    }
  });

  it("tells its steps, and streams the answer", async () => {
    await using there = await town();
    const steps: string[] = [];
    let streamed = "";
    await vanillaRag(there.parts).run(
      { question },
      {
        lm: there.lm,
        onStep: ({ text }) => steps.push(text),
        onStream: ({ field, text }) => (streamed += field === "answer" ? text : ""),
      },
    );
    expect(steps).toEqual([
      `Searching for "${question}", "${question} one", "${question} two"\n`,
      "Found 3 documents, 3 of them relevant\n",
      "Writing the answer from 3 documents\n",
    ]);
    expect(streamed).toBe(answered);
  });

  it("fails where its generator does: a canned answer would be scored as an answer", async () => {
    const { attempt } = await ran({
      steps: { "write-cited-answer": () => refuse(500, "out of memory") },
    });
    expect(attempt).toMatchObject({ state: "failed", failure: { code: "lm-server-error" } });
  });

  it("is ended by an abort, in whichever step", async () => {
    for (const step of ["vary-query", "write-cited-answer"] as const) {
      const controller = new AbortController();
      await using there = await town({
        steps: { [step]: () => () => controller.abort() },
      });
      const { signal } = controller;
      const attempt = await vanillaRag(there.parts).attempt({ question }, { ...there, signal });
      expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
      expect(attempt.trace.notes).toEqual({});
    }
  });
});
