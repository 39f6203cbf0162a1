import { beforeAll, describe, expect, it } from "vitest";
import type { Passage, PassageReranker, Retriever, Trace } from "espalier";
import { bm25Index, lexicalReranker } from "espalier/retrieval";
import { ailsRetrieval } from "../../../programs/ails-ntua/index.ts";
import type { Strategy } from "../../../programs/ails-ntua/retrieval/index.ts";
import { nestedFusion, nestedFusionOptions } from "../../../programs/ails-ntua/retrieval/index.ts";
import { shelf } from "../../retrieval/shelf.ts";
import { callsOf, fixedRetriever, parameter, pathsOf, retrievalAt } from "../notes-guided/parts.ts";
import { rewritten, scriptedRewriters } from "./scripted-rewriters.ts";

const input = {
  question: "And when was it finished?",
  history: [
    { speaker: "user", text: "Does Ostrel have a bridge?" },
    { speaker: "assistant", text: "Yes, an iron footbridge over the river." },
  ],
  corpus: "clapnq",
} as const;

const names: readonly Strategy[] = [
  "minimal",
  "corpusSpecific",
  "chainOfThought",
  "hypothetical",
  "anchorKeyword",
];

let towns: Retriever;
beforeAll(async () => {
  towns = await bm25Index({ corpus: shelf });
});

describe("retrieval by five rewrites", () => {
  it("puts each to the same index and reranks what it found by it", async () => {
    await using server = await scriptedRewriters();
    const retrieval = ailsRetrieval({ sparse: towns, reranker: lexicalReranker() });
    const { state, trace } = await retrieval.attempt(input, { lm: server.lm });
    expect(state).toBe("completed");
    const searches = pathsOf(trace).filter((path) => /^(bm25|lexical)/.test(path));
    expect(searches.toSorted()).toEqual(
      names.flatMap((name) => [`bm25[${name}]`, `lexical[${name}]`]).toSorted(),
    );
    for (const name of names) {
      const found = retrievalAt(trace, `bm25[${name}]`);
      expect(found.k).toBe(100);
      expect(retrievalAt(trace, `lexical[${name}]`)).toMatchObject({
        query: found.query,
        k: found.results.length,
      });
    }
  });

  it("gives the ten best of the nested fusion of what was found", async () => {
    await using server = await scriptedRewriters();
    const retrieval = ailsRetrieval({ sparse: towns });
    const attempt = await retrieval.attempt(input, { lm: server.lm });
    if (attempt.state === "failed") throw attempt.error;
    const { output, trace } = attempt;
    const found = (name: Strategy) => retrievalAt(trace, `bm25[${name}]`).results;
    const runs = {
      minimal: found("minimal"),
      corpusSpecific: found("corpusSpecific"),
      chainOfThought: found("chainOfThought"),
      hypothetical: found("hypothetical"),
      anchorKeyword: found("anchorKeyword"),
    };
    const { parameterValues } = retrieval;
    const fused = nestedFusion(runs, nestedFusionOptions(parameterValues, "clapnq"));
    expect(output.passages.map(({ id, score }) => ({ id, score }))).toEqual(fused.slice(0, 10));
    expect(output.passages[0]).toMatchObject({ id: "1-building", title: "Ostrel – buildings" });
  });

  it("weighs by the collection that is searched", async () => {
    const sparse = byQuery({
      "iron footbridge minimal": ["m"],
      "iron footbridge encyclopedia": ["c"],
      "iron footbridge forum": ["c"],
    });
    await using server = await scriptedRewriters();
    const retrieval = ailsRetrieval({ sparse }).with([
      parameter("fiqaCorpusSpecific", 1),
      parameter("fiqaMinimal", 0),
    ]);
    const first = async (corpus: "clapnq" | "fiqa") => {
      const { passages } = await retrieval.run({ ...input, corpus }, { lm: server.lm });
      return passages[0]?.id;
    };
    expect(await first("clapnq")).toBe("m");
    expect(await first("fiqa")).toBe("c");
  });

  it("searches the index of the collection where each has one", async () => {
    await using server = await scriptedRewriters();
    const named = (id: string) => fixedRetriever(id, [{ id, text: id }]);
    const sparse = {
      clapnq: named("clapnq"),
      fiqa: named("fiqa"),
      govt: named("govt"),
      cloud: named("cloud"),
      other: named("other"),
    };
    const { passages } = await ailsRetrieval({ sparse }).run(
      { ...input, corpus: "govt" },
      { lm: server.lm },
    );
    expect(passages).toMatchObject([{ id: "govt" }]);
  });

  it("searches once for strategies that agree, and counts what was found for each", async () => {
    const same = () => rewritten("iron footbridge");
    await using server = await scriptedRewriters({
      "rewrite-minimally": same,
      "rewrite-for-encyclopedia": same,
    });
    const retrieval = ailsRetrieval({ sparse: towns, reranker: lexicalReranker() });
    const { trace, ...attempt } = await retrieval.attempt(input, { lm: server.lm });
    expect(pathsOf(trace).filter((path) => path.startsWith("bm25"))).not.toContain(
      "bm25[corpusSpecific]",
    );
    expect(pathsOf(trace).filter((path) => path.startsWith("bm25"))).toHaveLength(4);
    if (attempt.state === "failed") throw attempt.error;
    const [best] = attempt.output.passages;
    expect(best?.score).toBeCloseTo((0.55 + 0.4 + 0.05) / 21, 12);
  });

  it("returns as many as it is told, and takes as many from the index", async () => {
    await using server = await scriptedRewriters();
    const passages = numbered(300);
    const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", passages) });
    const most = await retrieval
      .with([parameter("k", 100), parameter("depth", 150)])
      .attempt(input, { lm: server.lm });
    if (most.state === "failed") throw most.error;
    expect(most.output.passages.map(({ id }) => id)).toEqual(
      passages.slice(0, 100).map(({ id }) => id),
    );
    expect(retrievalAt(most.trace, "bm25[minimal]").results).toHaveLength(150);
  });

  it("finds nothing where the index has nothing, and asks no reranker", async () => {
    await using server = await scriptedRewriters();
    const reranker: PassageReranker = {
      name: "never",
      version: "1",
      doRerank: async () => {
        throw new Error("asked");
      },
    };
    const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", []), reranker });
    const attempt = await retrieval.attempt(input, { lm: server.lm });
    expect(attempt).toMatchObject({ state: "completed", output: { passages: [] } });
    expect(attempt.trace.notes).toEqual({});
  });

  it("fails where the index does", async () => {
    await using server = await scriptedRewriters();
    const sparse: Retriever = {
      name: "bm25",
      version: "1",
      doRetrieve: async () => {
        throw new Error("The index is gone.");
      },
    };
    const attempt = await ailsRetrieval({ sparse }).attempt(input, { lm: server.lm });
    expect(attempt).toMatchObject({
      state: "failed",
      failure: { message: expect.stringContaining("The index is gone.") as string },
    });
  });
});

describe("reranking in the fusion", () => {
  const reversed = (name: string): PassageReranker => ({
    name,
    version: "1",
    doRerank: async ({ passages, k }) =>
      passages
        .toReversed()
        .slice(0, k)
        .map((passage, index) => ({ ...passage, score: -index })),
  });
  const ranked = async (reranker: PassageReranker, values: Record<string, number> = {}) => {
    await using server = await scriptedRewriters();
    const retrieval = ailsRetrieval({ sparse: fixedRetriever("bm25", numbered(80)), reranker });
    const attempt = await retrieval
      .with(Object.entries({ k: 100, ...values }).map(([path, value]) => parameter(path, value)))
      .attempt(input, { lm: server.lm });
    if (attempt.state === "failed") throw attempt.error;
    return { ids: attempt.output.passages.map(({ id }) => id), trace: attempt.trace };
  };

  it("puts what the reranker has first where equation 1 does", async () => {
    const { ids } = await ranked(reversed("reversed"));
    // By alpha .5: 1/91 + .5/90 for p31, then 1/120 + .5/61 for p60, then 1/92 + .5/89 for p32.
    const expected = numbered(31).map(({ id }) => id);
    expect(ids.slice(0, 33)).toEqual([...expected, "p60", "p32"]);
    expect(ids).toHaveLength(80);
  });

  it("follows the reranker where its weight is large", async () => {
    const { ids } = await ranked(reversed("reversed"), { rerankWeight: 4 });
    expect(ids.slice(0, 2)).toEqual(["p60", "p59"]);
  });

  it("reads the first sixty; the others follow as they were found", async () => {
    const { ids, trace } = await ranked(reversed("reversed"));
    expect(retrievalAt(trace, "reversed[minimal]").k).toBe(60);
    expect(ids.slice(60)).toEqual(
      numbered(80)
        .slice(60)
        .map(({ id }) => id),
    );
    const { trace: other } = await ranked(reversed("reversed"), { rerankDepth: 7 });
    expect(retrievalAt(other, "reversed[hypothetical]").k).toBe(7);
  });

  it("leaves the order of the index where the reranker fails, and says so", async () => {
    const reranker: PassageReranker = {
      name: "broken",
      version: "1",
      doRerank: async () => {
        throw new Error("out of memory");
      },
    };
    const { ids, trace } = await ranked(reranker);
    expect(ids).toEqual(numbered(80).map(({ id }) => id));
    expect(trace.notes).toEqual(
      Object.fromEntries(
        names.map((name) => [
          `${name}-rerank-failed`,
          expect.stringContaining("out of memory") as string,
        ]),
      ),
    );
  });

  it("by an abort ends the program", async () => {
    const controller = new AbortController();
    const reranker: PassageReranker = {
      name: "aborting",
      version: "1",
      doRerank: async (_, { signal }) => {
        controller.abort();
        signal?.throwIfAborted();
        return [];
      },
    };
    await using server = await scriptedRewriters();
    const retrieval = ailsRetrieval({ sparse: towns, reranker });
    const { signal } = controller;
    const attempt = await retrieval.attempt(input, { lm: server.lm, signal });
    expect(attempt).toMatchObject({ state: "failed", failure: { kind: "aborted" } });
    expect(rerankNotes(attempt.trace)).toEqual([]);
  });
});

describe("the path of a call", () => {
  it("does not depend on the order in which rewriters answer", async () => {
    const delayed = (delayMs: number) => () => ({ content: rewritten("footbridge"), delayMs });
    const pathsWith = async (first: number, second: number) => {
      await using server = await scriptedRewriters({
        "rewrite-minimally": delayed(first),
        "rewrite-for-encyclopedia": delayed(second),
      });
      const { trace } = await ailsRetrieval({ sparse: towns }).attempt(input, { lm: server.lm });
      return callsOf(trace)
        .map(({ path }) => path)
        .toSorted();
    };
    expect(await pathsWith(60, 0)).toEqual(await pathsWith(0, 60));
  });
});

function rerankNotes({ notes }: Trace): readonly string[] {
  return Object.keys(notes).filter((name) => name.endsWith("rerank-failed"));
}

function numbered(count: number): readonly Passage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index + 1}`,
    text: `passage ${index + 1}`,
  }));
}

function byQuery(found: Readonly<Record<string, readonly string[]>>): Retriever {
  return {
    name: "bm25",
    version: "1",
    doRetrieve: async ({ query }) =>
      (found[query] ?? []).map((id, index) => ({ id, text: id, score: 1 / (index + 1) })),
  };
}
