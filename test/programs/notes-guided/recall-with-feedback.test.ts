import { describe, expect, it } from "vitest";
import type { Trace } from "espalier";
import { ndcgAt, recallAt } from "espalier/metric";
import type { RecallLabels } from "../../../programs/notes-guided/index.ts";
import { notesGuidedRetrieval, recallWithFeedback } from "../../../programs/notes-guided/index.ts";
import { shelf } from "../../retrieval/shelf.ts";
import { asGiven, fixedRetriever } from "./parts.ts";
import { queriesReply, scriptedSteps } from "./scripted-steps.ts";

const byId = new Map(shelf.map((passage) => [passage.id, passage]));
const passageOf = (id: string) => byId.get(id);
const passage = (id: string) => byId.get(id) ?? { id, text: "not on the shelf" };

const input = { question: "Who built the footbridge?", history: [] };

/** Two rounds: the first finds the trade of Ostrel, the second its buildings too. */
async function twoRounds() {
  await using server = await scriptedSteps({
    "generate-queries": (round) =>
      queriesReply([round === 1 ? "trade" : "buildings", "", ""], { rerank: "r", final: "f" }),
  });
  const trades = fixedRetriever("bm25", ["1-trade", "2-weather"].map(passage));
  const buildings = fixedRetriever("bm25", ["1-trade", "1-building"].map(passage));
  const sparse = {
    ...trades,
    doRetrieve: (...given: Parameters<typeof trades.doRetrieve>) =>
      (given[0].query === "trade" ? trades : buildings).doRetrieve(...given),
  };
  const twice = notesGuidedRetrieval({ sparse, reranker: asGiven }).with([
    { kind: "parameter", path: "hops", value: 2 },
  ]);
  const attempt = await twice.attempt(input, { lm: server.lm });
  if (attempt.state === "failed") throw attempt.error;
  return attempt;
}

async function judge(
  labels: RecallLabels,
  { k = 10, attempt = twoRounds() }: { k?: number; attempt?: ReturnType<typeof twoRounds> } = {},
) {
  const { output, trace } = await attempt;
  const example = { id: "e1", input, labels };
  return recallWithFeedback({ k, passageOf }).doScore({ example, output, trace });
}

const relevant = { "1-building": 1, "1-trade": 1, "0-building": 1, "6-weather": 1 };

describe("recall with feedback", () => {
  it("has recall at further cutoffs as objectives, beside its value", async () => {
    const { output, trace } = await twoRounds();
    const example = { id: "e1", input, labels: { relevant } };
    const score = await recallWithFeedback({ k: 2, alsoAt: [1, 3], passageOf }).doScore({
      example,
      output,
      trace,
    });
    // The third passage that is found is the second of the four relevant ones.
    expect(score).toMatchObject({ value: 0.25, objectives: { recall_1: 0.25, recall_3: 0.5 } });
  });

  it("tells what the example is, what was found and what is missing", async () => {
    const score = await judge({
      relevant,
      collection: "towns",
      answerability: "ANSWERABLE",
      questionType: "factoid",
      answer: "The people of Ostrel.",
    });
    expect(score.kind === "scored" && score.feedback).toMatchInlineSnapshot(`
      "Collection: towns
      Answerability: ANSWERABLE
      Question type: factoid
      Expected answer: The people of Ostrel.
      Question: Who built the footbridge?
      Recall: 0.500, 2 of 4 relevant passages found.
      Retrieved passages:
      1. Ostrel – trade
      2. Ostrel – buildings
      3. 2-weather
      Missing gold passages:
      [1] Varnholm – buildings
      In 1871 the people of Varnholm finished a lighthouse of red brick, the first of its kind.
      [2] 6-weather
      Winters in 北港 are long and wet; storms from the sea reach the tea exchange."
    `);
  });

  it("leaves out what the example does not say", async () => {
    const score = await judge({ relevant: { "1-building": 1 } });
    const feedback = score.kind === "scored" ? score.feedback : undefined;
    expect(feedback).toMatch(/^Question: /);
    expect(feedback).not.toMatch(/Collection|Answerability|Question type|Expected|Missing/);
  });

  it("scores recall among the first k, with nDCG as a further objective", async () => {
    const { output } = await twoRounds();
    expect(output.passages.map(({ id }) => id)).toEqual(["1-trade", "1-building", "2-weather"]);
    expect(await judge({ relevant })).toMatchObject({ kind: "scored", value: 0.5 });
    expect(await judge({ relevant }, { k: 1 })).toMatchObject({ kind: "scored", value: 0.25 });
    for (const k of [1, 2, 10]) {
      expect(await judge({ relevant }, { k })).toMatchObject({
        value: recallAt(k)(output.passages, relevant),
        objectives: { ndcg_cut_5: ndcgAt(5)(output.passages, relevant) },
      });
    }
    expect(await judge({ relevant: { "1-building": 1 } }, { k: 1 })).toMatchObject({
      value: 0,
      feedback: expect.stringMatching(/0 of 1 relevant[^]*\[1\] Ostrel – buildings/) as string,
    });
    expect(recallWithFeedback({ passageOf }).name).toBe("recall_10");
    expect(recallWithFeedback({ k: 5, passageOf }).name).toBe("recall_5");
  });

  it("does not apply where no passage is relevant", async () => {
    expect(await judge({ relevant: {} })).toMatchObject({ kind: "not-applicable" });
    expect(await judge({ relevant: { "1-trade": 0 } })).toMatchObject({ kind: "not-applicable" });
  });

  it("takes a passage judged irrelevant neither for found nor for missing", async () => {
    const score = await judge({ relevant: { "1-building": 1, "3-trade": 0 } });
    expect(score).toMatchObject({
      value: 1,
      feedback: expect.stringContaining("1 of 1 relevant passages found") as string,
      blame: [{ score: 0 }, { score: 1 }],
    });
    expect(score).toMatchObject({ feedback: expect.not.stringContaining("Missing") as string });
  });

  it("says so where the text of a missing passage is not at hand", async () => {
    const score = await judge({ relevant: { lost: 1 } });
    expect(score).toMatchObject({
      value: 0,
      feedback: expect.stringMatching(/\[1\] lost \(its text is not at hand\)$/) as string,
    });
  });

  it("cuts the expected answer at 2,000 characters and a missing passage at 3,000", async () => {
    const long = { id: "long", title: "Long", text: "t".repeat(4_000) };
    const { output, trace } = await twoRounds();
    const labels = { relevant: { long: 1 }, answer: "a".repeat(4_000) };
    const score = await recallWithFeedback({ passageOf: () => long }).doScore({
      example: { id: "e1", input, labels },
      output,
      trace,
    });
    const feedback = score.kind === "scored" ? (score.feedback ?? "") : "";
    expect(/a{3,}/.exec(feedback)?.[0]).toHaveLength(2_000);
    expect(/t{3,}/.exec(feedback)?.[0]).toHaveLength(3_000);
  });

  it("blames the queries of each round for what that round found", async () => {
    expect(await judge({ relevant })).toMatchObject({
      blame: [
        {
          path: "hop[1]/generateQueries",
          score: 0.25,
          text: "The queries of this round found 1 of 4 relevant passages.",
        },
        {
          path: "hop[2]/generateQueries",
          score: 0.5,
          text: "The queries of this round found 2 of 4 relevant passages.",
        },
      ],
    });
  });

  it("blames nobody when no round was traced", async () => {
    const { output, trace } = await twoRounds();
    const bare: Trace = { ...trace, children: [] };
    const score = await recallWithFeedback({ passageOf }).doScore({
      example: { id: "e1", input, labels: { relevant } },
      output,
      trace: bare,
    });
    expect(score).toMatchObject({ value: 0.5, blame: [] });
  });

  it("counts an example without relevant passages as 1 where the option says so", async () => {
    const { output, trace } = await twoRounds();
    const example = { id: "e1", input, labels: { relevant: {} } };
    const lenient = recallWithFeedback({ withoutReferences: "one", passageOf });
    expect(lenient.doScore({ example, output, trace })).toMatchObject({ kind: "scored", value: 1 });
    expect(lenient.version).not.toBe(recallWithFeedback({ passageOf }).version);
  });
});

it("applies to no example without gold, unless these score one", () => {
  const failure = { message: "unreadable" } as never;
  for (const relevant of [{}, { p1: 0 }, { p1: 1 }]) {
    const example = { id: "e1", input, labels: { relevant } };
    const counted = recallWithFeedback({ passageOf, withoutReferences: "one" });
    expect(counted.appliesTo?.(example)).toBe(true);
    const metric = recallWithFeedback({ passageOf });
    const hasGold = "p1" in relevant && relevant.p1 > 0;
    expect(metric.appliesTo?.(example)).toBe(hasGold);
    const { kind } = metric.scoreFormatFailure(failure, example);
    expect(kind).toBe(hasGold ? "scored" : "not-applicable");
  }
});
