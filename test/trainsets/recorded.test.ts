import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  evaluatedResponses,
  recordedAnswers,
  recordedChains,
  recordedRagAnswers,
  recordedResponses,
  recordedRewrites,
} from "../../trainsets/recorded/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { thrownBy } from "../support/thrown-by.ts";

const recorded = (name: string) => sharedData(`recorded-llm/${name}`);
const evaluation = (name: string) => sharedData(`mtrag-eval/${name}`);
const sample = (name: string) =>
  fileURLToPath(new URL(`fixtures/recorded/${name}`, import.meta.url));

const rewrites = recorded("mtrag_query_rewrites.jsonl.gz");
const ragAnswers = recorded("mtrag_taskC_official_elser_top5_with_predictions.jsonl.gz");
const hotpot = recorded("hotpotqa500_llama31-8b_ircot.json");
const chains = recorded("hotpotqa500_llama31-8b_ircot_chains.txt.gz");
const ibm = evaluation("ibm_responses-10.jsonl");

describe("recorded rewrites", () => {
  test.skipIf(rewrites.isAbsent)(
    `are one for each task and strategy, and leave first turns alone${rewrites.note}`,
    async () => {
      const rows = await recordedRewrites(rewrites.file);
      const strategies = Map.groupBy(rows, ({ strategy }) => strategy);
      expect(strategies.size).toBe(8);
      for (const group of strategies.values()) {
        expect(new Set(group.map(({ taskId }) => taskId)).size).toBe(842);
      }
      expect(rows.filter(({ response }) => response !== undefined)).toHaveLength(3368);
      const firsts = rows.filter(({ turn }) => turn === 1);
      expect(firsts.length).toBe(110 * 8);
      const plain = firsts.filter(
        ({ strategy }) => strategy !== "claude-sonnet-4.5/rewrite_then_edit",
      );
      expect(plain.filter(({ question, rewrite }) => question !== rewrite)).toEqual([]);
    },
  );
});

describe("recorded answers to task C", () => {
  test.skipIf(ragAnswers.isAbsent)(
    `stand beside five passages, best first, and join the rewrites by task${ragAnswers.note}`,
    async () => {
      const rows = await recordedRagAnswers(ragAnswers.file);
      expect(rows).toHaveLength(842);
      for (const { ranking } of rows) {
        expect(ranking).toHaveLength(5);
        const scores = ranking.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((left, right) => right - left));
      }
      const known = new Set((await recordedRewrites(rewrites.file)).map(({ taskId }) => taskId));
      expect(rows.filter(({ taskId }) => !known.has(taskId))).toEqual([]);
    },
  );
});

describe("responses in IBM's layout", () => {
  test.skipIf(ibm.isAbsent)(`read a bare NaN as missing${ibm.note}`, async () => {
    const rows = await recordedResponses(ibm.file);
    expect(rows).toHaveLength(10);
    expect(rows[0]).toMatchObject({ turn: 1, contexts: [], multiTurn: [], history: [] });
    expect(rows[0]?.taskId).toBe(`${rows[0]?.conversationId}<::>1`);
    expect(rows[1]).toMatchObject({ turn: 2, multiTurn: ["Clarification"] });
    expect(rows[1]?.history).toHaveLength(2);
  });

  test("read a committed row with every cell empty", async () => {
    const [row] = await recordedResponses(sample("responses-with-nan.jsonl"));
    expect(row).toMatchObject({
      taskId: "c1<::>2",
      question: "And NaN?",
      answerability: [],
      questionTypes: [],
      multiTurn: [],
      contexts: [{ id: "p1", text: "NaN is not a number." }],
    });
  });
});

describe("evaluated responses", () => {
  const files = [
    { name: "generation_metrics_ragu.jsonl", count: 1259, metric: "RL_F" },
    { name: "generation_metrics_tristan.jsonl", count: 26, metric: "RB_agg" },
    { name: "synthetic_evaluations.jsonl.gz", count: 5000, metric: "rb_agg" },
  ];
  for (const { name, count, metric } of files) {
    const file = evaluation(name);
    test.skipIf(file.isAbsent)(`${name}: each row has a text and figures${file.note}`, async () => {
      const rows = await evaluatedResponses(file.file);
      expect(rows).toHaveLength(count);
      const measured = rows.filter(({ metrics }) => metrics[metric]?.length === 1);
      expect(measured.length).toBeGreaterThan(count * 0.7);
      const numbers = rows.flatMap(({ metrics }) => Object.values(metrics).flat());
      expect(numbers.every(Number.isFinite)).toBe(true);
    });
  }

  test("leave out a figure that is NaN or null, and keep one a passage", async () => {
    const rows = await evaluatedResponses(sample("evaluated-with-nan.jsonl"));
    expect(rows.map(({ metrics }) => metrics)).toEqual([
      { RB_agg: [0.5], BertKPrec: [0.25, 0.75] },
      { rb_agg: [1] },
    ]);
  });
});

describe("recorded answers to HotpotQA", () => {
  test.skipIf(hotpot.isAbsent)(
    `stand beside gold answers and official figures${hotpot.note}`,
    async () => {
      const { rows, officialMetrics } = await recordedAnswers(hotpot.file);
      expect(rows).toHaveLength(500);
      expect(officialMetrics).toMatchObject({ em: 0.274, f1: 0.375 });
      expect(officialMetrics).not.toHaveProperty("count");
    },
  );
});

describe("recorded chains", () => {
  test.skipIf(chains.isAbsent)(
    `lead to the recorded answers in one to ten steps${chains.note}`,
    async () => {
      const rows = await recordedChains(chains.file);
      expect(rows).toHaveLength(500);
      const { rows: answers } = await recordedAnswers(hotpot.file);
      const predictions = new Map(answers.map(({ id, prediction }) => [id, prediction]));
      // One answer is in quotation marks in the chains only.
      const bare = (text = "") => text.replaceAll('"', "");
      for (const { id, prediction, steps } of rows) {
        expect(bare(prediction)).toBe(bare(predictions.get(id)));
        expect(steps.length).toBeGreaterThanOrEqual(1);
        expect(steps.length).toBeLessThanOrEqual(10);
      }
      expect(rows[0]?.steps[0]).toEqual({
        titles: ["A Kiss for Corliss"],
        thought: 'Shirley Temple starred as Corliss Archer in the film "Kiss and Tell" in 1945.',
      });
    },
  );
});

describe("malformed samples", () => {
  test.each([
    [recordedRewrites, "rewrites-empty.jsonl", /rewrites-empty\.jsonl:2, field `rewritten_query`/],
    [recordedRewrites, "rewrites-bare-nan.jsonl", /rewrites-bare-nan\.jsonl:1\).*a bare NaN/],
    [
      recordedRagAnswers,
      "rag-without-score.jsonl",
      /rag-without-score\.jsonl:1, field `contexts\.0/,
    ],
    [recordedRagAnswers, "rag-turn-zero.jsonl", /:1, field `task_id`.*CONVERSATION<::>TURN/],
    [
      recordedResponses,
      "responses-cut-off.jsonl",
      /responses-cut-off\.jsonl:2\).*not JSON|not JSON.*responses-cut-off\.jsonl:2/,
    ],
    [evaluatedResponses, "evaluated-without-text.jsonl", /:1\).*`response` or `prediction`/],
    [
      recordedChains,
      "chain-without-thought.txt",
      /chain-without-thought\.txt:7\).*the thought of a step/,
    ],
    [recordedChains, "chain-cut-off.txt", /the question to the reader.*the end of the file/],
    [recordedAnswers, "answers-without-gold.json", /"q2" is only in `predictions`/],
    [recordedAnswers, "answers-twice.json", /not one JSON value on one line/],
  ] as const)("%o: %s", async (load, name, problem) => {
    const { code, message } = await thrownBy(() => load(sample(name)));
    expect(code).toBe("file-malformed");
    expect(message).toMatch(problem);
  });

  test("a file that is not there is another error", async () => {
    const { code } = await thrownBy(() => recordedRewrites(sample("absent.jsonl")));
    expect(code).toBe("file-missing");
  });
});
