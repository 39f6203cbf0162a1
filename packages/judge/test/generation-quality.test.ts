import { expect, test } from "vitest";
import type { Example, Metric, RankedPassage } from "../../../src/index.ts";
import { predict, program, rankedPassages, signature, text } from "../../../src/index.ts";
import { evaluate } from "../../../src/evaluate/index.ts";
import type { AgreementService } from "../src/index.ts";
import { generationQuality } from "../src/index.ts";
import type { Answerability } from "../src/index.ts";
import { lexicalGenerationQuality } from "../src/index.ts";
import { judgedRun } from "../../../test/metric/support/judged-run.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { askedOf, judgingLm, passages } from "./support.ts";

interface Labels {
  readonly reference: string;
  readonly answerability: Answerability;
}

type Held = Example<{ readonly question: string }, Labels>;

const sides = {
  question: "question",
  answer: "answer",
  passages: "passages",
  reference: "reference",
  answerability: "answerability",
  blame: { abstaining: ["answer"], answering: ["answer"] },
} as const;

/** Answers as the server's script says, with the same passages always. */
const answerer = program({
  name: "answerer",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer"), passages: rankedPassages() },
  predictors: {
    answer: predict(
      signature({
        name: "answer",
        instruction: "Answer.",
        input: { question: text("question") },
        output: { answer: text("answer") },
      }),
    ),
  },
  forward: async ({ question }, { predictors }) => ({
    answer: (await predictors.answer({ question })).answer,
    passages: passages.map((passage) => ({ ...passage, score: 1 })),
  }),
});

const reference = "It was finished in 1902.";
const asked = (answerability: Answerability, id: string = answerability): Held => ({
  id,
  input: { question: "When was the footbridge finished?" },
  labels: { reference, answerability },
});

const replies = {
  answer: { answer: "It was finished in 1902. The town paid." },
  "judge-declining": { verdict: "no" },
  "list-statements": { statements: ["Finished in 1902.", "The town paid."] },
  "check-statements": {
    verdicts: [
      { number: 1, reason: "It says so.", isSupported: true },
      { number: 2, reason: "The brewery paid.", isSupported: false },
    ],
  },
  "rate-response": { judgement: "Too much.\nRating: [[8]]" },
  "judge-clarification": { explanation: "It asks.", decision: "yes" },
};

async function judged(
  metric: Metric<
    { question: string },
    { answer: string; passages: readonly RankedPassage[] },
    Labels
  >,
  examples: readonly Held[],
  script: Readonly<Record<string, unknown>> = {},
) {
  await using server = await judgingLm({ ...replies, ...script });
  const evaluation = await evaluate({
    program: answerer,
    metric,
    examples,
    lm: server.lm,
    resamples: 20,
  });
  return { evaluation, steps: server.received.map(askedOf) };
}

test("judges an answered question three times and puts the means together", async () => {
  const { evaluation } = await judged(generationQuality(sides), [asked("ANSWERABLE")]);
  const { score } = evaluation.rows[0]!;
  expect(score).toMatchObject({ objectives: { rl_f: 0.5, rb_llm: 0.8 } });
  const { lexical_agreement: agreement = NaN } = evaluation.objectives;
  expect(agreement).toBeGreaterThan(0.5);
  expect(evaluation.value).toBeCloseTo(3 / (1 / agreement + 1 / 0.5 + 1 / 0.8), 12);
  expect(score).toMatchObject({
    feedback: expect.stringContaining(
      "The passages do not support 1 of 2 statements:\n- The town paid. (The brewery paid.)",
    ),
    blame: [
      { path: "answer", score: 1 },
      { path: "answer", text: expect.stringContaining("A judge wrote: Too much.") },
    ],
  });
});

test("asks for no judgement where declining decides alone", async () => {
  const { evaluation, steps } = await judged(generationQuality(sides), [asked("UNANSWERABLE")]);
  expect(evaluation.value).toBe(0);
  expect(steps.toSorted()).toEqual(["answer", "judge-declining"]);
});

test("asks the judge of clarification, and no other, on an underspecified question", async () => {
  const { evaluation, steps } = await judged(generationQuality(sides), [asked("UNDERSPECIFIED")]);
  expect(evaluation.value).toBe(1);
  expect(steps.toSorted()).toEqual(["answer", "judge-clarification"]);
});

test("leaves faithfulness out of its mean where nothing was stated", async () => {
  const { evaluation } = await judged(
    generationQuality(sides),
    [asked("ANSWERABLE"), asked("UNANSWERABLE")],
    { "list-statements": { statements: [] }, "judge-declining": { verdict: "no" } },
  );
  // The refusal that was due counts 0; the other row has no faithfulness.
  expect(evaluation.objectives).toMatchObject({ rl_f: 0, rb_llm: 0.4 });
});

test("takes a service's scores for RB_agg, under its name", async () => {
  const agreement: AgreementService = {
    name: "fixed",
    version: "7",
    doCompare: async () => ({ bertRecall: 0.3, bertPrecisions: [0.2, 0.5] }),
  };
  const metric = generationQuality({ ...sides, agreement });
  const { evaluation } = await judged(metric, [asked("ANSWERABLE")]);
  expect(metric.version).toBe("1-fixed-7");
  expect(evaluation.objectives["rb_agg"]).toBeGreaterThan(0.5);
  expect(evaluation.objectives).not.toHaveProperty("lexical_agreement");
});

test("counts a judge's unusable reply as no score, never as 0", async () => {
  const { evaluation } = await judged(generationQuality(sides), [asked("ANSWERABLE")], {
    "rate-response": "not JSON",
  });
  expect(evaluation.counts).toMatchObject({ scored: 0, unscored: 1 });
});

test("refuses to judge without an LM, and an example without a label", async () => {
  const metric = generationQuality(sides);
  const output = { answer: "x", passages: [] };
  const trace = {
    program: "p",
    version: "1",
    input: {},
    notes: {},
    children: [],
    startedAtMs: 0,
    latencyMs: 0,
  };
  const example = asked("ANSWERABLE");
  const noLm = await thrownBy(async () => metric.doScore({ example, output, trace }));
  expect(noLm.message).toContain("needs a language model, but has none");
  const unlabelled = { ...example, labels: { reference } as Labels };
  const noLabel = await thrownBy(async () =>
    metric.doScore({ example: unlabelled, output, trace }),
  );
  expect(noLabel.message).toContain("A record has no answerability label");
});

test("compares with no reference where there is none, and asks for no rating", async () => {
  const unreferenced: Held = {
    ...asked("ANSWERABLE"),
    labels: { reference: " ", answerability: "ANSWERABLE" },
  };
  const { evaluation, steps } = await judged(generationQuality(sides), [unreferenced]);
  expect(evaluation.objectives).toEqual({ rl_f: 0.5 });
  expect(steps).not.toContain("rate-response");
  const { question: _question, ...rest } = sides;
  const lexical = await judged(lexicalGenerationQuality(rest), [unreferenced]);
  expect(lexical.evaluation.counts).toMatchObject({ scored: 0, notApplicable: 1 });
});

test("has a variant that asks no model", async () => {
  const { question: _question, ...rest } = sides;
  const { evaluation, steps } = await judged(
    lexicalGenerationQuality(rest),
    [asked("ANSWERABLE"), asked("UNANSWERABLE")],
    { answer: { answer: "I do not know when it was finished." } },
  );
  expect(evaluation.rows.map(({ score }) => "value" in score && score.value)).toEqual([0, 1]);
  expect(evaluation.value).toBe(0.5);
  expect(new Set(steps)).toEqual(new Set(["answer"]));
});

test("looks for evidence among the passages where a label says what is relevant", async () => {
  const { question: _question, ...rest } = sides;
  const { doScore } = lexicalGenerationQuality({
    ...rest,
    relevant: "relevant",
    blame: { retrieving: ["answer"], abstaining: ["answer"] },
  });
  const blamedFor = async (relevant: Readonly<Record<string, number>>) => {
    const { input } = asked("ANSWERABLE");
    const labels = { reference, answerability: "ANSWERABLE" as const, relevant };
    const score = await doScore({
      ...judgedRun({ answer: "I do not know.", passages }, labels),
      example: { id: "e", input, labels },
    });
    return score.kind === "scored" ? (score.blame ?? []).map(({ score: one }) => one) : [];
  };
  expect(await blamedFor({ p1: 1, p9: 1 })).toEqual([1, 0]);
  expect(await blamedFor({ p9: 1, p1: 0 })).toEqual([0, 1]);
  // Nothing is known to be relevant.
  expect(await blamedFor({ p1: 0 })).toEqual([0]);
});
