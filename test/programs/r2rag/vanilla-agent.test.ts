import { describe, expect, it } from "vitest";
import type { Trace } from "espalier";
import { vanillaAgent } from "../../../programs/r2rag/index.ts";
import { silentReply, spelledReply } from "../../program/decision/spelled-reply.ts";
import { refuse } from "../../support/vllm-server.ts";
import type { Script } from "./town.ts";
import { answered, fieldIn, numbersIn, page, parameter, pathsOf, question, town } from "./town.ts";

interface Settings {
  readonly parameters?: Readonly<Record<string, number>>;
  readonly sufficiency?: "label" | "weighed";
  readonly context?: { readonly contextTokens: number };
}

/** Runs it once; everything that was sent and made. */
async function ran(
  script: Script,
  { parameters = {}, sufficiency = "label", context }: Settings = {},
) {
  await using there = await town(script);
  const candidate = Object.entries(parameters).map(([path, value]) => parameter(path, value));
  const program = vanillaAgent({ ...there.parts, ...context, sufficiency }).with(candidate);
  const attempt = await program.attempt({ question }, { lm: there.lm });
  return {
    ...there,
    attempt,
    reviews: there.prompts("review-documents"),
    answerPrompt: there.prompts("write-cited-answer")[0] ?? "",
    queries: there.searches.map(({ parameters: { query } }) => query),
  };
}

/** A review that goes on with another query; numbers of the documents found useful. */
const goOn = (useful: readonly number[], newQuery: string, summary = "They tell.") => ({
  useful,
  summary,
  isSufficient: false,
  newQuery,
});
const enough = (useful: readonly number[]) => ({
  useful,
  summary: "They tell all.",
  isSufficient: true,
  newQuery: "",
});

/** What the reviews of a run came to, by round. */
function decisionsIn({ children }: Pick<Trace, "children">): readonly unknown[] {
  return children.flatMap((node) => {
    if (node.kind === "scope") return decisionsIn(node);
    const isReview = node.kind === "predictor" && node.predictor === "reviewDocuments";
    return isReview ? [node.decisions?.["isSufficient"]] : [];
  });
}

/** No variants, so that a round is one search. */
const alone = { "vary-query": () => ({ queries: [] }) };

/** Three documents for each query, by rank. */
const three = (query: string) =>
  ["a", "b", "c"].map((name, index) => page(`${query} ${name}`, { score: 0.99 - index / 100 }));

describe("Vanilla Agent", () => {
  it("answers after one round whose documents suffice", async () => {
    const { attempt, reviews, prompts } = await ran({});
    expect(attempt).toMatchObject({ state: "completed", output: { answer: answered } });
    expect(pathsOf(attempt.trace)).toEqual([
      "round[1]/varyQueryAtOnce",
      "round[1]/search[1]",
      "round[1]/search[2]",
      "round[1]/search[3]",
      "round[1]/qwen3Reranker",
      "round[1]/reviewDocuments",
      "writeCitedAnswer",
    ]);
    expect(prompts("vary-query")[0]).toContain("Count: 5");
    expect(reviews[0]).toMatch(
      /^Question: When was[^]*Query: When was[^]*Earlier Queries: \(empty\)\n\nEarlier Summaries: \(empty\)/,
    );
    expect(attempt.trace.notes).toEqual({ ended: "sufficient" });
  });

  it("goes on with the review's query, and tells the next review what there was", async () => {
    const { queries, reviews, answerPrompt, attempt, scored } = await ran({
      steps: {
        ...alone,
        "review-documents": (round) =>
          [goOn([1, 3], "iron"), goOn([], "steel", "Ignored."), enough([8])][round - 1] ?? {},
      },
      search: three,
    });
    expect(queries).toEqual([question, "iron", "steel"]);
    expect(scored.map((body) => /<Query>: (.*)\n/.exec(body.text_1)?.[1])).toEqual(queries);
    // Numbers go on after the last one shown, so that none stands for two documents.
    expect(reviews.map(numbersIn)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]);
    expect(reviews.every((prompt) => fieldIn(prompt, "Question") === question)).toBe(true);
    expect(reviews[2]).toContain(`Query: steel

Earlier Queries: 1. ${question}
2. iron

Earlier Summaries: 1. They tell.
2. Nothing useful was found.`);
    expect(attempt).toMatchObject({
      output: {
        citations: [{ id: `${question} a` }, { id: `${question} c` }, { id: "steel b" }],
      },
    });
    expect(numbersIn(answerPrompt)).toEqual([1, 2, 3]);
  });

  it.each([
    [{}, 1],
    [{ sufficiencyWeight: 0.2 }, 2],
  ])(
    "ends by the weighed probability that the documents suffice, with %j",
    async (weights, rounds) => {
      const verdict = { true: 0.7, false: 0.3 };
      const said = '{"useful":[1],"summary":"They tell.","isSufficient":';
      const review = spelledReply([said, verdict, ',"confidence":0.99,"newQuery":"more"}']);
      const { attempt, bodies } = await ran(
        { steps: { ...alone, "review-with-confidence": () => review }, search: three },
        { parameters: { rounds: 2, ...weights }, sufficiency: "weighed" },
      );
      expect(bodies("review-with-confidence")).toHaveLength(rounds);
      expect(bodies("review-with-confidence")[0]).toMatchObject({ logprobs: true });
      expect(decisionsIn(attempt.trace)[0]).toMatchObject({ source: "logprobs", written: true });
      expect(attempt.trace.notes["ended"]).toBe(rounds === 1 ? "sufficient" : "rounds");
    },
  );

  it.each([
    [true, {}, 1],
    [true, { sufficiencyWeight: 0.2 }, 2],
    [false, {}, 2],
    [false, { sufficiencyWeight: 2 }, 1],
  ])(
    "weighs the confidence that the review states beside %j where a server gives no better, with %j",
    async (isSufficient, weights, rounds) => {
      const confidence = isSufficient ? 0.7 : 0.4;
      const said = { useful: [1], summary: "They tell.", isSufficient, confidence };
      const review = silentReply(JSON.stringify({ ...said, newQuery: "more" }));
      const { attempt, queries } = await ran(
        { steps: { ...alone, "review-with-confidence": () => review }, search: three },
        { parameters: { rounds: 2, ...weights }, sufficiency: "weighed" },
      );
      expect(queries).toHaveLength(rounds);
      const decided = rounds === 1;
      expect(attempt.trace.notes["ended"]).toBe(decided ? "sufficient" : "rounds");
      expect(decisionsIn(attempt.trace)[0]).toEqual({
        written: isSufficient,
        decided,
        source: "verbalized",
        probabilities: { true: confidence, false: expect.closeTo(1 - confidence) as number },
      });
    },
  );

  it("asks for neither confidence nor probabilities unless the verdict is weighed", async () => {
    const { bodies } = await ran({});
    const [review] = bodies("review-documents");
    expect(review).not.toHaveProperty("logprobs");
    expect(JSON.stringify(review)).not.toMatch(/confidence/i);
  });

  it("keeps a document once, and passes numbers by that stand for none", async () => {
    const { attempt } = await ran({
      steps: {
        ...alone,
        "review-documents": (round) => (round === 1 ? goOn([1, 2, 77], "more") : enough([1, 3])),
      },
      search: () => [page("a", { score: 0.99 }), page("b")],
    });
    expect(attempt).toMatchObject({ output: { citations: [{ id: "a" }, { id: "b" }] } });
  });

  it("takes what was found for sufficient where there is no query to go on with", async () => {
    const { attempt, queries } = await ran({
      steps: { ...alone, "review-documents": () => goOn([1], "  ") },
    });
    expect(queries).toHaveLength(1);
    expect(attempt).toMatchObject({ output: { citations: [{ id: question }] } });
    expect(attempt.trace.notes).toEqual({ ended: "no new query" });
  });

  it("takes a review that cannot be read for one without useful documents and new query", async () => {
    const { attempt, queries } = await ran({
      steps: { ...alone, "review-documents": () => "I would rather answer." },
    });
    expect(queries).toHaveLength(1);
    expect(attempt).toMatchObject({ output: { answer: answered, citations: [] } });
    expect(attempt.trace.notes).toEqual({
      "round[1]/reviewFailed": expect.stringContaining("JSON") as string,
      ended: "no new query",
    });
  });

  it("fails where the server of the review does, or the tokenizer", async () => {
    const down = refuse(500, "out of memory");
    const failing = await ran({ steps: { "review-documents": () => down } });
    expect(failing.attempt).toMatchObject({ failure: { code: "lm-server-error" } });
    const uncounted = await ran({ tokenize: refuse(404, "Not Found") });
    expect(uncounted.attempt).toMatchObject({ failure: { code: "lm-not-found" } });
  });

  it("reformulates a query that finds nothing relevant, and thinks about variants from then on", async () => {
    const { attempt, queries, bodies, prompts, reviews } = await ran({
      steps: { ...alone, "review-documents": () => enough([1]) },
      search: (query) => [page(query, { score: query === "better 1" ? 0.9 : 0.6 })],
    });
    expect(queries).toEqual([question, "better 1"]);
    expect(prompts("reformulate-query")).toEqual([`Query: ${question}\n`]);
    expect(
      bodies("vary-query").map(({ chat_template_kwargs: how }) => how.enable_thinking),
    ).toEqual([false, true]);
    expect(pathsOf(attempt.trace)).toEqual([
      "round[1]/varyQueryAtOnce",
      "round[1]/search[1]",
      "round[1]/qwen3Reranker",
      "round[1]/reformulateQuery",
      "round[2]/varyQuery",
      "round[2]/search[1]",
      "round[2]/qwen3Reranker",
      "round[2]/reviewDocuments",
      "writeCitedAnswer",
    ]);
    // What was searched for in vain is not to be searched for again.
    expect(reviews[0]).toContain(`Earlier Queries: 1. ${question}`);
  });

  it("keeps the query where its reformulation fails or is blank", async () => {
    for (const reply of [refuse(500, "out of memory"), { newQuery: " " }]) {
      const { queries, attempt } = await ran(
        { steps: { ...alone, "reformulate-query": () => reply }, search: () => [] },
        { parameters: { rounds: 2 } },
      );
      expect(queries).toEqual([question, question]);
      expect(attempt.state).toBe("completed");
    }
  });

  it("ends where no search ever finds anything", async () => {
    const { attempt, queries, prompts, answerPrompt } = await ran({
      steps: alone,
      search: () => [],
    });
    expect(queries).toEqual([question, "better 1", "better 2", "better 3", "better 4"]);
    expect(prompts("reformulate-query")).toHaveLength(4);
    expect(prompts("review-documents")).toEqual([]);
    expect(answerPrompt).toContain("Documents: (empty)");
    expect(attempt).toMatchObject({ output: { answer: answered, citations: [] } });
    expect(attempt.trace.notes).toEqual({ ended: "rounds" });
  });

  it("ends where search and reranker always fail", async () => {
    const broken: Script[] = [
      { search: () => ({ status: 503, body: "down" }) },
      { score: refuse(500, "out of memory") },
    ];
    for (const script of broken) {
      const { attempt, queries } = await ran({ steps: alone, ...script });
      expect(queries).toHaveLength(5);
      expect(attempt).toMatchObject({ state: "completed", output: { citations: [] } });
      expect(Object.keys(attempt.trace.notes)).toHaveLength(6);
    }
  });

  it("ends after five rounds, or as many as it may", async () => {
    const script: Script = {
      steps: {
        ...alone,
        "review-documents": (round, prompt) => goOn(numbersIn(prompt), `query ${round}`),
      },
    };
    const five = await ran(script);
    expect(five.queries).toHaveLength(5);
    expect(five.attempt).toMatchObject({ output: { citations: { length: 5 } } });
    expect(five.attempt.trace.notes).toEqual({ ended: "rounds" });
    const two = await ran(script, { parameters: { rounds: 2 } });
    expect(two.queries).toHaveLength(2);
  });

  it("ends once the documents kept have more than so many tokens", async () => {
    const script: Script = {
      steps: {
        ...alone,
        "review-documents": (round, prompt) => goOn(numbersIn(prompt), `query ${round}`),
      },
      // A document has its words, and number, address, bar and date.
      search: (query) => [page(query, { words: 6_000 })],
    };
    const four = await ran(script);
    expect(four.queries).toHaveLength(4);
    expect(four.attempt.trace.notes).toEqual({ ended: "tokens" });
    // The fourth does not fit into the 19,880 tokens of the answer.
    expect(numbersIn(four.answerPrompt)).toEqual([1, 2, 3]);
    const two = await ran(script, { parameters: { stopTokens: 6_005 } });
    expect(two.queries).toHaveLength(2);
    const exactly = await ran(script, { parameters: { stopTokens: 12_008 } });
    expect(exactly.queries).toHaveLength(3);
  });

  it("shows the review no more than its context holds beside the prompt", async () => {
    const pages = Array.from({ length: 4 }, (_, index) =>
      page(`p${index}`, { words: 5_000, score: 0.99 - index / 100 }),
    );
    const { reviews, answerPrompt } = await ran({ steps: alone, search: () => pages });
    // Four are 20,016 tokens; of 19,880 the prompt takes some hundred.
    expect(reviews.map(numbersIn)).toEqual([[1, 2, 3]]);
    expect(numbersIn(answerPrompt)).toEqual([1, 2, 3]);
  });

  it("fits a smaller context, cutting a document that is too long for it alone", async () => {
    const context = { contextTokens: 6_120 };
    const { attempt, reviews } = await ran(
      { steps: alone, search: () => [page("p1", { words: 3_000 })] },
      { context },
    );
    expect(numbersIn(reviews[0] ?? "")).toEqual([1]);
    if (attempt.state === "failed") throw attempt.error;
    const [kept] = attempt.output.citations;
    // Half of the 1,000 tokens less the prompt of the review, in words.
    const words = kept?.text.split(" ").length ?? 0;
    expect(words).toBeGreaterThan(100);
    expect(words).toBeLessThan(500);
    await using there = await town();
    const { parts } = there;
    expect(vanillaAgent({ ...parts, ...context }).parameterValues.stopTokens).toBe(4_896);
    expect(() => vanillaAgent({ ...parts, contextTokens: 5_000 })).toThrow("no room");
  });

  it("asks as the authors did", async () => {
    const { bodies } = await ran({ search: (query) => (query === question ? [] : [page(query)]) });
    for (const step of ["vary-query", "review-documents", "write-cited-answer"] as const) {
      expect(bodies(step)[0]).toMatchObject({
        temperature: 0.6,
        top_p: 0.95,
        max_completion_tokens: 4_096,
        chat_template_kwargs: { enable_thinking: step !== "vary-query" },
      });
    }
  });

  it("tells what it does in each round", async () => {
    await using there = await town({
      steps: {
        ...alone,
        "review-documents": (round) => (round === 1 ? goOn([], "iron") : enough([2])),
      },
    });
    const steps: (readonly [string, string])[] = [];
    await vanillaAgent(there.parts).run(
      { question },
      { lm: there.lm, onStep: ({ path, text }) => steps.push([path, text]) },
    );
    expect(steps).toEqual([
      ["round[1]", `Searching for "${question}"\n`],
      ["round[1]", "Found 1 documents, 1 of them relevant\n"],
      ["round[1]", "Reviewing 1 documents\n"],
      ["round[1]", "Kept 0 documents. Nothing useful was found.\n"],
      ["round[2]", 'Searching for "iron"\n'],
      ["round[2]", "Found 1 documents, 1 of them relevant\n"],
      ["round[2]", "Reviewing 1 documents\n"],
      ["round[2]", "Kept 1 documents. They tell all.\n"],
      ["", "Writing the answer from 1 documents\n"],
    ]);
  });

  it("is ended by an abort while it reviews", async () => {
    const controller = new AbortController();
    await using there = await town({
      steps: { "review-documents": () => () => controller.abort() },
    });
    const { signal } = controller;
    const attempt = await vanillaAgent(there.parts).attempt({ question }, { ...there, signal });
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
    expect(there.prompts("write-cited-answer")).toEqual([]);
  });
});
