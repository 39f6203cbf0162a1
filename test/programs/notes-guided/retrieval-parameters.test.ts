import { beforeAll, describe, expect, it } from "vitest";
import type { NotesGuidedParts } from "../../../programs/notes-guided/index.ts";
import { notesGuidedRetrieval } from "../../../programs/notes-guided/index.ts";
import {
  asGiven,
  fixedRetriever,
  input,
  parameter,
  pathsOf,
  retrievalAt,
  townParts,
} from "./parts.ts";
import { scriptedSteps } from "./scripted-steps.ts";

let towns: Required<Omit<NotesGuidedParts, "sampling" | "notesRead">>;
beforeAll(async () => {
  towns = await townParts();
});

describe("the numbers of the retrieval", () => {
  const passage = (id: string) => ({ id, text: id });
  const fixed = {
    sparse: fixedRetriever("bm25", ["a", "b", "c"].map(passage)),
    dense: fixedRetriever("dense", ["b", "d"].map(passage)),
    reranker: asGiven,
  };

  /** Ids and scores that one round gives its reranker. */
  async function fusedWith(parameters: Readonly<Record<string, number>>) {
    await using server = await scriptedSteps();
    const given = Object.entries({ hops: 1, ...parameters }).map(([path, value]) =>
      parameter(path, value),
    );
    const once = notesGuidedRetrieval(fixed).with(given);
    const { trace } = await once.attempt(input, { lm: server.lm });
    return retrievalAt(trace, "hop[1]/asGiven").results;
  }

  it("fuse by reciprocal ranks from a constant of 60, both indexes alike", async () => {
    expect(await fusedWith({})).toEqual([
      { id: "b", score: expect.closeTo(0.5 / 62 + 0.5 / 61, 12) as number },
      { id: "a", score: expect.closeTo(0.5 / 61, 12) as number },
      { id: "d", score: expect.closeTo(0.5 / 62, 12) as number },
      { id: "c", score: expect.closeTo(0.5 / 63, 12) as number },
    ]);
  });

  it("`k0` is the constant", async () => {
    const [first, second] = await fusedWith({ k0: 1 });
    expect(first).toEqual({ id: "b", score: expect.closeTo(0.5 / 3 + 0.5 / 2, 12) as number });
    expect(second).toEqual({ id: "a", score: expect.closeTo(0.5 / 2, 12) as number });
  });

  it("`sparseWeight` is the share of the keyword index", async () => {
    const idsOf = async (sparseWeight: number) =>
      (await fusedWith({ sparseWeight })).map(({ id }) => id);
    expect(await idsOf(1)).toEqual(["a", "b", "c"]);
    expect(await idsOf(0)).toEqual(["b", "d"]);
    expect(await idsOf(0.9)).toEqual(["b", "a", "c", "d"]);
  });

  it("`hops`, `depth`, `rerankDepth` and `k` bound rounds, searches and results", async () => {
    await using server = await scriptedSteps();
    const small = notesGuidedRetrieval(towns).with([
      parameter("hops", 2),
      parameter("depth", 5),
      parameter("rerankDepth", 6),
      parameter("k", 2),
    ]);
    const { trace, ...attempt } = await small.attempt(input, { lm: server.lm });
    expect(server.asked("generate-queries")).toHaveLength(2);
    expect(server.asked("build-notes")).toHaveLength(1);
    expect(retrievalAt(trace, "hop[2]/bm25[1]").k).toBe(5);
    expect(retrievalAt(trace, "hop[2]/dense[1]").results).toHaveLength(5);
    expect(retrievalAt(trace, "hop[1]/lexical").results).toHaveLength(6);
    expect(attempt).toMatchObject({ output: { passages: [{ id: "1-building" }, {}] } });
  });

  it("without a dense index the keyword index searches alone", async () => {
    await using server = await scriptedSteps();
    const { sparse, reranker } = towns;
    const alone = notesGuidedRetrieval({ sparse, reranker }).with([parameter("hops", 1)]);
    const { trace } = await alone.attempt(input, { lm: server.lm });
    expect(pathsOf(trace)).toEqual([
      "hop[1]/generateQueries",
      "hop[1]/bm25[1]",
      "hop[1]/bm25[2]",
      "hop[1]/bm25[3]",
      "hop[1]/lexical",
      "lexical",
    ]);
  });
});
