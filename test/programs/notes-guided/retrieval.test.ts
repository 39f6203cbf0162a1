import { beforeAll, describe, expect, it } from "vitest";
import type { PassageReranker, Retriever } from "espalier";
import type { NotesGuidedParts } from "../../../programs/notes-guided/index.ts";
import { notesGuidedRetrieval } from "../../../programs/notes-guided/index.ts";
import {
  asGiven,
  callsOf,
  fixedRetriever,
  input,
  parameter,
  pathsOf,
  question,
  retrievalAt,
  townParts,
} from "./parts.ts";
import { fieldsOf, queriesReply, scriptedSteps } from "./scripted-steps.ts";

let towns: Required<Omit<NotesGuidedParts, "sampling" | "notesRead">>;
beforeAll(async () => {
  towns = await townParts();
});

describe("retrieval guided by notes", () => {
  it("searches three times with three queries in both indexes, with notes in between", async () => {
    await using server = await scriptedSteps();
    const { state, trace } = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    expect(state).toBe("completed");
    expect(pathsOf(trace).slice(0, 9)).toEqual([
      "hop[1]/generateQueries",
      "hop[1]/bm25[1]",
      "hop[1]/dense[1]",
      "hop[1]/bm25[2]",
      "hop[1]/dense[2]",
      "hop[1]/bm25[3]",
      "hop[1]/dense[3]",
      "hop[1]/lexical",
      "hop[1]/buildNotes",
    ]);
    expect(pathsOf(trace).slice(9, 18)).toEqual(
      pathsOf(trace)
        .slice(0, 9)
        .map((path) => path.replace("hop[1]", "hop[2]")),
    );
    // No round follows the last, so nobody would read its notes.
    expect(pathsOf(trace).slice(-3)).toEqual(["hop[3]/dense[3]", "hop[3]/lexical", "lexical"]);
    expect(pathsOf(trace)).toHaveLength(9 + 9 + 8 + 1);
    expect(retrievalAt(trace, "hop[2]/bm25[2]")).toMatchObject({
      query: "Ostrel river crossing 2",
      k: 10,
    });
    expect(retrievalAt(trace, "hop[2]/dense[3]")).toMatchObject({ query: "finished in 2", k: 10 });
    expect(trace.notes).toEqual({});
  });

  it("reranks each round by its own rerank query, and all rounds by the last one's final one", async () => {
    await using server = await scriptedSteps();
    const { trace } = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    for (const hop of [1, 2, 3]) {
      expect(retrievalAt(trace, `hop[${hop}]/lexical`)).toMatchObject({
        query: `footbridge of Ostrel, round ${hop}`,
        k: 10,
      });
    }
    expect(retrievalAt(trace, "lexical")).toMatchObject({
      query: "iron footbridge, after 3",
      k: 10,
    });
  });

  it("returns the best of all rounds, each passage once, in the order of the last reranking", async () => {
    await using server = await scriptedSteps();
    const attempt = await notesGuidedRetrieval(towns).attempt(input, { lm: server.lm });
    if (attempt.state === "failed") throw attempt.error;
    const { trace, output } = attempt;
    const ids = output.passages.map(({ id }) => id);
    expect(ids[0]).toBe("1-building");
    expect(new Set(ids).size).toBe(10);
    const ofRounds = [1, 2, 3].flatMap((hop) => retrievalAt(trace, `hop[${hop}]/lexical`).results);
    const found = new Set(ofRounds.map(({ id }) => id));
    expect(ids.filter((id) => !found.has(id))).toEqual([]);
    expect(retrievalAt(trace, "lexical").results.map(({ id }) => id)).toEqual(ids);
  });

  it("keeps what only an earlier round found", async () => {
    await using server = await scriptedSteps({
      "generate-queries": (round) => {
        const query = ["lighthouse Varnholm", "weighing house Kessing", "footbridge Ostrel"];
        const own = query[round - 1] ?? "";
        return queriesReply([own, own, own], { rerank: own, final: query.join(" ") });
      },
    });
    const once = notesGuidedRetrieval(towns).with([parameter("rerankDepth", 5)]);
    const { passages } = await once.run(input, { lm: server.lm });
    expect(passages.slice(0, 3).map(({ id }) => id)).toEqual(
      expect.arrayContaining(["0-building", "1-building", "2-building"]),
    );
  });

  it("puts what later rounds found before the rest, for rerankers that keep ties in order", async () => {
    await using server = await scriptedSteps();
    const sparse: Retriever = {
      name: "bm25",
      version: "1",
      doRetrieve: async ({ query }) => [
        { id: query, text: query, score: 1 },
        { id: "always", text: `by ${query}`, score: 0.5 },
      ],
    };
    const parts = { sparse, reranker: asGiven };
    const twice = notesGuidedRetrieval(parts).with([parameter("hops", 2)]);
    const { passages } = await twice.run(input, { lm: server.lm });
    expect(passages.map(({ text }) => text)).toEqual([
      "iron footbridge 2",
      "by iron footbridge 2",
      "Ostrel river crossing 2",
      "finished in 2",
      "iron footbridge 1",
      "Ostrel river crossing 1",
      "finished in 1",
    ]);
  });

  it("tells each round the notes of all rounds before, and the first that there are none", async () => {
    await using server = await scriptedSteps();
    await notesGuidedRetrieval(towns).run(input, { lm: server.lm });
    const [first = "", second = "", third = ""] = server.asked("generate-queries").map(fieldsOf);
    expect(first).toMatchInlineSnapshot(`
      "Question: When was the iron footbridge of Ostrel finished?

      History: <turn speaker="user">Tell me about Ostrel.</turn>
      <turn speaker="assistant">It is a town at a river crossing.</turn>

      Notes: No earlier round of retrieval: this is the first.
      "
    `);
    const noted = (hop: number) => `=== Hop ${hop} ===
Queries used: iron footbridge ${hop} | Ostrel river crossing ${hop} | finished in ${hop}
Key findings: finding ${hop}
Missing info: gap ${hop}
Search suggestions: try ${hop}`;
    expect(second).toContain(`Notes: <text>\n${noted(1)}\n</text>\n`);
    expect(second).not.toContain("Hop 2");
    expect(third).toContain(`Notes: <text>\n${noted(1)}\n\n${noted(2)}\n</text>\n`);
  });

  it("tells each round the notes of the last one alone where it is told to", async () => {
    await using server = await scriptedSteps();
    const parts = { ...towns, notesRead: "last-round" } as const;
    await notesGuidedRetrieval(parts).run(input, { lm: server.lm });
    const [, second = "", third = ""] = server.asked("generate-queries").map(fieldsOf);
    expect(second).toContain("=== Hop 1 ===");
    expect(third).toContain("=== Hop 2 ===");
    expect(third).not.toContain("=== Hop 1 ===");
    expect(server.asked("build-notes").map(fieldsOf)[1]).toContain("=== Hop 1 ===");
  });

  it("gives the reranker ten of each query, fused, and so thirty at most", async () => {
    const many = (name: string): Retriever => ({
      name,
      version: "1",
      doRetrieve: async ({ query, k }) =>
        Array.from({ length: k }, (_, index) => {
          const id = `${query} ${name} ${index + 1}`;
          return { id, text: id, score: 1 / (index + 1) };
        }),
    });
    const seen: (readonly string[])[] = [];
    const reranker: PassageReranker = {
      ...asGiven,
      doRerank: async (request, options) => {
        seen.push(request.passages.map(({ id }) => id));
        return asGiven.doRerank(request, options);
      },
    };
    await using server = await scriptedSteps();
    const parts = { sparse: many("bm25"), dense: many("dense"), reranker };
    const once = notesGuidedRetrieval(parts).with([parameter("hops", 1)]);
    await once.run(input, { lm: server.lm });
    const [candidates = []] = seen;
    expect(candidates).toHaveLength(30);
    // Five of either index, since both count alike.
    expect(candidates.filter((id) => id.startsWith("iron footbridge 1 bm25"))).toHaveLength(5);
    expect(candidates.filter((id) => id.startsWith("finished in 1 dense"))).toHaveLength(5);
  });

  it("lets the notes builder read queries, earlier notes and the passages cut at 800 characters", async () => {
    const long = [{ id: "p1", title: "Long", text: `${"x".repeat(799)}yz` }];
    await using server = await scriptedSteps();
    const parts = { sparse: fixedRetriever("bm25", long), reranker: asGiven };
    const { trace } = await notesGuidedRetrieval(parts).attempt(input, { lm: server.lm });
    const [first, second, ...more] = callsOf(trace).filter(
      (call) => call.kind === "predictor" && call.predictor === "buildNotes",
    );
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      inputs: {
        question,
        queries: ["iron footbridge 1", "Ostrel river crossing 1", "finished in 1"],
        passages: [{ id: "p1", title: "Long", text: `${"x".repeat(799)}y` }],
        earlierNotes: "No earlier round of retrieval: this is the first.",
      },
    });
    expect(second).toMatchObject({
      inputs: { earlierNotes: expect.stringMatching(/^=== Hop 1 ===[^]*finding 1/) as string },
    });
    expect(retrievalAt(trace, "asGiven").results).toHaveLength(1);
  });

  it("never cuts a character in two", async () => {
    const long = [{ id: "p1", text: `${"x".repeat(799)}🌉 and more` }];
    await using server = await scriptedSteps();
    const parts = { sparse: fixedRetriever("bm25", long), reranker: asGiven };
    await notesGuidedRetrieval(parts).run(input, { lm: server.lm });
    const [asked] = server.asked("build-notes").map(fieldsOf);
    expect(asked?.isWellFormed()).toBe(true);
    expect(asked).toContain("xxx🌉\n");
  });

  it("passes blank queries by", async () => {
    await using server = await scriptedSteps({
      "generate-queries": () =>
        queriesReply(["", "iron footbridge", " \n"], { rerank: "bridge", final: "bridge" }),
    });
    const once = notesGuidedRetrieval(towns).with([parameter("hops", 1)]);
    const { trace } = await once.attempt(input, { lm: server.lm });
    const searches = callsOf(trace).filter(({ path }) => /bm25|dense/.test(path));
    expect(searches).toMatchObject([{ query: "iron footbridge" }, { query: "iron footbridge" }]);
  });

  it("reranks by the question where a rerank query is blank", async () => {
    await using server = await scriptedSteps({
      "generate-queries": () =>
        queriesReply(["footbridge", "bridge", "Ostrel"], { rerank: " ", final: "" }),
    });
    const once = notesGuidedRetrieval(towns).with([parameter("hops", 1)]);
    const { trace } = await once.attempt(input, { lm: server.lm });
    expect(retrievalAt(trace, "hop[1]/lexical").query).toBe(question);
    expect(retrievalAt(trace, "lexical").query).toBe(question);
  });

  it("asks as the authors did, unless told otherwise", async () => {
    await using server = await scriptedSteps();
    await notesGuidedRetrieval(towns).run(input, { lm: server.lm });
    for (const request of server.received) {
      expect(request).toMatchObject({ temperature: 0.4, max_completion_tokens: 10_000 });
    }
    await using other = await scriptedSteps();
    const sampling = { temperature: 0, maxCompletionTokens: 2_000 };
    await notesGuidedRetrieval({ ...towns, sampling }).run(input, { lm: other.lm });
    for (const request of other.received) {
      expect(request).toMatchObject({ temperature: 0, max_completion_tokens: 2_000 });
    }
  });
});
