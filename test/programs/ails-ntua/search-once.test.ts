import { expect, test } from "vitest";
import type { LanguageModel, PassageReranker } from "espalier";
import { recallAt } from "espalier/metric";
import { bm25Index, corpus } from "espalier/retrieval";
import { rehearsalLm } from "@espalier/rehearsal";
import { searchOnce } from "../../../programs/ails-ntua/index.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

const passages = [
  { id: "ferry", text: "The ferry of Ostrel leaves at noon." },
  { id: "bridge", text: "The bridge of Ostrel was built in 1902." },
  { id: "noon", text: "At noon it leaves, and it leaves at noon again." },
];
const asked = {
  question: "When does it leave at noon?",
  history: [{ speaker: "user" as const, text: "Is there a ferry?" }],
  corpus: "other" as const,
  standalone: "When does the ferry of Ostrel leave?",
};

/** Reverses whatever it is given. */
const reversing: PassageReranker = {
  name: "reversing",
  version: "1",
  doRerank: ({ passages: given, k }) =>
    Promise.resolve(
      given
        .toReversed()
        .map((passage, index) => ({ ...passage, score: 1 / (index + 1) }))
        .slice(0, k),
    ),
};

async function found(
  parameters: Readonly<Record<string, string | number>>,
  input: object = asked,
  lm: LanguageModel = rehearsalLm(),
  query?: "human-rewrite",
) {
  await using sparse = await bm25Index({ corpus: corpus(passages) });
  const program = searchOnce({ sparse, reranker: reversing, ...(query && { query }) }).with(
    Object.entries(parameters).map(
      ([path, value]) => ({ kind: "parameter", path, value }) as const,
    ),
  );
  const { passages: ranked } = await program.run(input as typeof asked, { lm });
  return ranked.map(({ id }) => id);
}

test("the last turn is searched as typed, the human rewrite where one is", async () => {
  expect((await found({}))[0]).toBe("noon");
  expect((await found({}, asked, rehearsalLm(), "human-rewrite"))[0]).toBe("ferry");
  const { standalone: _, ...without } = asked;
  expect(await found({}, without, rehearsalLm(), "human-rewrite")).toEqual(await found({}));
});

test("no value of a parameter searches with the human rewrite, so no search selects it", async () => {
  await using sparse = await bm25Index({ corpus: corpus(passages) });
  const { searchedBy } = searchOnce({ sparse, query: "human-rewrite" }).parameters;
  expect([searchedBy.default, searchedBy.options.length]).toEqual(["last-turn", 6]);
  await expect(found({ searchedBy: "human-rewrite" })).rejects.toThrow(/searchedBy/);
});

test("a single rewrite is searched in the place of the question", async () => {
  const reply = { kind: "non-standalone", rewritten: "When was the bridge built?" };
  await using server = await scriptedLm(() => JSON.stringify(reply));
  expect((await found({ searchedBy: "minimal" }, asked, server.lm))[0]).toBe("bridge");
  expect(server.received).toHaveLength(1);
});

test.each([
  ["none", []],
  ["2", ["asked 2", "asked 3"]],
  ["6+1", ["asked 1", "asked 2", "asked 3", "told 3"]],
  ["all", ["asked 1", "told 1", "asked 2", "told 2", "asked 3", "told 3"]],
  // The authors give the rewriter by keywords one turn of the assistant.
  ["own", ["asked 1", "asked 2", "asked 3", "told 3"]],
])("a rewriter reads the turns that are chosen: %s", async (rewriterTurns, turns) => {
  const reply = { kind: "standalone", rewritten: "noon", anchors: [], keywords: [] };
  await using server = await scriptedLm(() => JSON.stringify(reply));
  const history = [1, 2, 3].flatMap((index) => [
    { speaker: "user", text: `asked ${index}` },
    { speaker: "assistant", text: `told ${index}` },
  ]);
  await found({ searchedBy: "anchorKeyword", rewriterTurns }, { ...asked, history }, server.lm);
  const prompt = server.received[0]?.messages.at(-1)?.content ?? "";
  expect(prompt.match(/(?:asked|told) \d/g) ?? []).toEqual(turns);
});

test("the reranker orders alone, or together with the search", async () => {
  const retrieved = await found({});
  expect(await found({ ranking: "reranked" })).toEqual(retrieved.toReversed());
  expect(await found({ ranking: "fused", rerankWeight: 0 })).toEqual(retrieved);
  expect(await found({ ranking: "retrieved", k: 1 })).toEqual(retrieved.slice(0, 1));
});

test("scores fall in the order that the reranker gave, since metrics rank by them", async () => {
  await using sparse = await bm25Index({ corpus: corpus(passages) });
  const inOrder = async (ranking: string, rerankDepth: number) => {
    const values = Object.entries({ ranking, rerankDepth });
    const program = searchOnce({ sparse, reranker: reversing }).with(
      values.map(([path, value]) => ({ kind: "parameter", path, value }) as const),
    );
    const { passages: ranked } = await program.run(asked, { lm: rehearsalLm() });
    const scores = ranked.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(new Set(scores).size).toBe(scores.length);
    return recallAt(1)(ranked, { [ranked[0]?.id ?? ""]: 1 });
  };
  for (const ranking of ["retrieved", "fused", "reranked"]) {
    // The last passages found keep the search's order, behind those that were reranked.
    expect(await inOrder(ranking, 60)).toBe(1);
    expect(await inOrder(ranking, 2)).toBe(1);
  }
});
