import { describe, expect, test } from "vitest";
import type { Candidate, PassageReranker, RankedPassage, Retriever } from "espalier";
import { recallAt } from "espalier/metric";
import {
  ailsRetrieval,
  rerankByLm,
  searchByType,
  searchParts,
  searchTwice,
} from "../../../programs/ails-ntua/index.ts";
import type { Strategy } from "../../../programs/ails-ntua/retrieval/index.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

const asked = {
  question: "When does it leave, and what does it cost?",
  history: [
    { speaker: "user" as const, text: "Is there a ferry to Ostrel?" },
    { speaker: "assistant" as const, text: "Yes." },
  ],
  corpus: "other" as const,
};

/** Finds for each word of a query the passage of that name, in the order of the words. */
const words: Retriever = {
  name: "words",
  version: "1",
  doRetrieve: async ({ query, k }) =>
    [...new Set(query.toLowerCase().match(/[a-z]+/g))]
      .map((id, index) => ({ id, text: `About ${id}.`, score: 1 / (index + 1) }))
      .slice(0, k),
};

const nameOf = (request: {
  readonly response_format?: { readonly json_schema: { name: string } };
}) => request.response_format?.json_schema.name ?? "";

const parametersOf = (values: Readonly<Record<string, string | number>>): Candidate =>
  Object.entries(values).map(([path, value]) => ({ kind: "parameter", path, value }) as const);

/** By score, as metrics do. */
const rankedIds = (passages: readonly RankedPassage[]) =>
  passages.toSorted((one, other) => other.score - one.score).map(({ id }) => id);

const idsOf = (found: { readonly passages: readonly { readonly id: string }[] }) =>
  found.passages.map(({ id }) => id);

describe("decomposition", () => {
  async function found(queries: readonly string[] | string, given: object = asked) {
    await using server = await scriptedLm(() =>
      typeof queries === "string" ? queries : JSON.stringify({ queries }),
    );
    const output = await searchParts({ sparse: words }).run({ ...asked, ...given }, server);
    return { ids: idsOf(output), calls: server.received.length };
  }

  test("searches for each part once, and fuses what they find with equal weights", async () => {
    const { ids } = await found(["ferry departure", "ferry price", "ferry departure"]);
    // Found first by both, then second by one each, in the order of the parts.
    expect(ids).toEqual(["ferry", "departure", "price"]);
  });

  test("searches with the question where there is nothing to split it by", async () => {
    const plain = ["when", "does", "it", "leave", "and", "what", "cost"];
    expect((await found([])).ids).toEqual(plain);
    expect((await found("I would rather not.")).ids).toEqual(plain);
    expect(await found(["ferry"], { history: [] })).toEqual({ ids: plain, calls: 0 });
  });
});

describe("rewriting by type of question", () => {
  async function searched(
    typedBy: "rules" | "model" | "nothing",
    { kind = "opinion", rewritten = "ferry", ...given }: Readonly<Record<string, unknown>> = {},
  ) {
    const asks: string[] = [];
    const advice: string[] = [];
    await using server = await scriptedLm((request) => {
      asks.push(nameOf(request));
      if (nameOf(request) === "classify-question") return JSON.stringify({ kind });
      advice.push(request.messages.at(-1)?.content ?? "");
      return JSON.stringify({ rewritten });
    });
    const program = searchByType({ sparse: words }).with(parametersOf({ typedBy }));
    const ids = idsOf(await program.run({ ...asked, ...given }, server));
    return { ids, asks, advice: advice.join() };
  }

  test("takes the type from the rules that set the length of answers", async () => {
    const { ids, asks, advice } = await searched("rules");
    expect(asks).toEqual(["rewrite-for-type"]);
    expect(ids).toEqual(["ferry"]);
    expect(advice).toContain("Fact: name the thing");
    expect((await searched("rules", { question: "pier prices" })).advice).toContain("Keywords:");
  });

  test("takes it from a model, and advises on none in particular if that cannot be read", async () => {
    const { asks, advice } = await searched("model");
    expect(asks).toEqual(["classify-question", "rewrite-for-type"]);
    expect(advice).toContain("Opinion: name the choice");
    expect((await searched("model", { kind: "riddle" })).advice).toContain("Question: name the");
  });

  test("gives every question the same advice where nothing types it", async () => {
    const { asks, advice } = await searched("nothing");
    expect(asks).toEqual(["rewrite-for-type"]);
    expect(advice).toContain("Question: name the subject");
  });

  test("searches with the question where it comes first, or nothing is written", async () => {
    const plain = ["when", "does", "it", "leave", "and", "what", "cost"];
    expect(await searched("model", { history: [] })).toMatchObject({ ids: plain, asks: [] });
    expect((await searched("rules", { rewritten: " " })).ids).toEqual(plain);
  });
});

describe("passage-informed rewriting", () => {
  async function searched(values: Readonly<Record<string, string | number>>, informed = "ferry") {
    const sent: string[] = [];
    await using server = await scriptedLm((request) => {
      const name = nameOf(request);
      sent.push(name);
      if (name === "rewrite-minimally") {
        return JSON.stringify({ kind: "non-standalone", rewritten: "pier timetable" });
      }
      sent.push(request.messages.at(-1)?.content ?? "");
      return JSON.stringify({ rewritten: informed });
    });
    const program = searchTwice({ sparse: words }).with(parametersOf(values));
    return { ids: idsOf(await program.run(asked, server)), sent };
  }

  test("reads what the minimal rewrite found, and returns what the second search finds", async () => {
    const { ids, sent } = await searched({ readPassages: 1 });
    expect(ids).toEqual(["ferry"]);
    const [first, second, prompt] = sent;
    expect([first, second]).toEqual(["rewrite-minimally", "rewrite-from-passages"]);
    expect(prompt).toContain("pier timetable");
    expect(prompt).toContain("About pier.");
    expect(prompt).not.toContain("About timetable.");
  });

  test("begins with the question as typed, and stays with it if nothing is written", async () => {
    const { ids, sent } = await searched({ firstQuery: "last-turn" }, " ");
    expect(sent).not.toContain("rewrite-minimally");
    expect(ids).toEqual(["when", "does", "it", "leave", "and", "what", "cost"]);
  });
});

describe("rewrites in one level", () => {
  const reversing: PassageReranker = {
    name: "reversing",
    version: "1",
    doRerank: async ({ passages }) =>
      passages.toReversed().map((passage, index) => ({ ...passage, score: 1 / (index + 1) })),
  };

  async function fused(inOneLevel: readonly Strategy[], reranker?: PassageReranker) {
    const asks: string[] = [];
    await using server = await scriptedLm((request) => {
      asks.push(nameOf(request));
      const rewritten = nameOf(request) === "rewrite-minimally" ? "pier noon" : "noon fare";
      return JSON.stringify({ kind: "non-standalone", rewritten });
    });
    const program = ailsRetrieval({
      sparse: words,
      inOneLevel,
      ...(reranker && { reranker, ranking: "reranked" }),
    });
    const output = await program.run(asked, server);
    return { asks, ids: rankedIds(output.passages) };
  }

  test("are those that are named, with equal weights", async () => {
    const { asks, ids } = await fused(["minimal", "corpusSpecific"]);
    expect(asks.toSorted()).toEqual(["rewrite-for-encyclopedia", "rewrite-minimally"]);
    // Second and first; then the firsts and seconds of one alone.
    expect(ids).toEqual(["noon", "pier", "fare"]);
  });

  test("may be one alone, in the order of the reranker by its scores, too", async () => {
    expect((await fused(["minimal"], reversing)).ids).toEqual(["noon", "pier"]);
    expect((await fused(["minimal"])).ids).toEqual(["pier", "noon"]);
  });
});

describe("a model as the last reranker", () => {
  /** The rewriters leave the question as it is, so that the pool has its words in their order. */
  async function ranked(lmRanking: string, reply: (prompt: string) => object | string) {
    await using server = await scriptedLm((request) => {
      const name = nameOf(request);
      if (/rewrite|hypothetical/.test(name)) return "";
      const replied = reply(request.messages.at(-1)?.content ?? "");
      return typeof replied === "string" ? replied : JSON.stringify(replied);
    });
    const program = rerankByLm({ sparse: words }).with(parametersOf({ lmRanking, k: 4 }));
    const output = await program.run(asked, server);
    // Metrics rank by scores.
    expect(recallAt(1)(output.passages, { [output.passages[0]?.id ?? ""]: 1 })).toBe(1);
    return idsOf(output);
  }

  test("orders by the rating of each passage; one without stays behind", async () => {
    const ratings: Readonly<Record<string, number>> = { when: 3, does: 9, leave: 9 };
    const ids = await ranked("pointwise", (prompt) => {
      const id = /About (\w+)\./.exec(prompt)?.[1] ?? "";
      return id in ratings ? { rating: ratings[id] } : "no";
    });
    expect(ids).toEqual(["does", "leave", "when", "it"]);
  });

  test("orders by a list of numbers; what it leaves out follows, what is not there does not", async () => {
    expect(await ranked("listwise", () => ({ order: [3, 9, 1, 3] }))).toEqual([
      "it",
      "when",
      "does",
      "leave",
    ]);
    expect(await ranked("listwise", () => "no")).toEqual(["when", "does", "it", "leave"]);
  });

  test("orders by the words that passages share with the answer it writes", async () => {
    const ids = await ranked("generation", () => ({ answer: "They leave at noon." }));
    expect(ids[0]).toBe("leave");
    expect(ids).toHaveLength(4);
  });
});
