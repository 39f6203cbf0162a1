import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LanguageModel, PredictorTrace } from "espalier";
import { LmError, predict, program, signature, text } from "espalier";
import { openAiCompatible } from "espalier/lm";
import type { Answer } from "../../support/vllm-server.ts";
import { chatPath, vllmServer } from "../../support/vllm-server.ts";
import type { SpelledToken } from "./spelled-reply.ts";
import { silentReply, spelledReply } from "./spelled-reply.ts";

describe("the probability of each label", () => {
  it.each<[string, readonly string[], readonly SpelledToken[], Record<string, number>]>([
    [
      "is that of its first token where labels begin differently",
      ["YES", "NO", "MAYBE"],
      ['{"label": "', { YES: 0.5, NO: 0.3, MAY: 0.2 }, '"}'],
      { YES: 0.5, NO: 0.3, MAYBE: 0.2 },
    ],
    [
      "adds up the ways to begin it, with and without space, in any case",
      ["YES", "NO"],
      ['{"label": "', { YES: 0.4, Y: 0.1, ĠYES: 0.06, yes: 0.04, N: 0.3, No: 0.1 }, '"}'],
      { YES: 0.6, NO: 0.4 },
    ],
    [
      "tells labels apart that differ in case alone",
      ["Yes", "yes"],
      ['{"label":"', { Yes: 0.6, yes: 0.2, YES: 0.2 }, '"}'],
      { Yes: 0.75, yes: 0.25 },
    ],
    [
      "leaves out what no label begins with, and what begins them all",
      ["YES", "NO"],
      ['{"label":"', { YES: 0.3, NO: 0.1, Perhaps: 0.4, Ġ: 0.2 }, '"}'],
      { YES: 0.75, NO: 0.25 },
    ],
    [
      "follows the reply where labels share a prefix",
      ["UNANSWERABLE", "UNKNOWN", "FULL"],
      ['{"label":"', { UN: 0.8, FULL: 0.2 }, { ANSW: 0.75, KN: 0.25 }, "ERABLE", '"}'],
      { UNANSWERABLE: 0.6, UNKNOWN: 0.2, FULL: 0.2 },
    ],
    [
      "divides evenly what labels share on a way not taken",
      ["FULL", "UNANSWERABLE", "UNKNOWN"],
      ['{"label":"', { FULL: 0.4, UN: 0.6 }, '"}'],
      { FULL: 0.4, UNANSWERABLE: 0.3, UNKNOWN: 0.3 },
    ],
    [
      "tells a label from a longer one by what ends it",
      ["A", "AB"],
      ['{"label":"', { A: 1 }, { '"': 0.7, B: 0.3 }, "}"],
      { A: 0.7, AB: 0.3 },
    ],
    [
      "reads tokens that begin before the value and go beyond it",
      ["yes", "no"],
      ['{"label":', { '"yes"}': 0.9, '"no"}': 0.05, '"no': 0.05 }],
      { yes: 0.9, no: 0.1 },
    ],
    [
      "stands before the special token that ends a reply",
      ["yes", "no"],
      ['{"label":"', { yes: 0.1, no: 0.3 }, '"}', "<|im_end|>"],
      { yes: 0.25, no: 0.75 },
    ],
  ])("%s", async (_, labels, tokens, expected) => {
    const { decisions } = await asked(labels, spelledReply(tokens));
    expect(decisions?.["label"]).toMatchObject({ source: "logprobs" });
    expectClose(decisions?.["label"]?.probabilities, expected);
  });

  it("is read from the reply, not from a thought that quotes it", async () => {
    const tokens = ['{"label":"', { yes: 0.9, no: 0.1 }, '"}'] as const;
    const thought = ["I could say ", ...tokens, "</think>"];
    const reply = [...thought, '{"label":"', { no: 0.8, yes: 0.2 }, '"}', "<|im_end|>"];
    const { decisions } = await asked(
      ["yes", "no"],
      spelledReply(reply, { reasoning: 'I could say {"label":"yes"}' }),
    );
    expectClose(decisions?.["label"]?.probabilities, { yes: 0.2, no: 0.8 });
  });

  it("finds a boolean beside texts that quote its name and hold cut characters", async () => {
    await using server = await vllmServer();
    server.always(
      chatPath,
      spelledReply([
        '{"summary": "caf',
        "é \\",
        '"isEnough\\": true, ',
        '", ',
        '"isEnough',
        '":',
        { " true": 0.6, " false": 0.4 },
        "}",
      ]),
    );
    const step = predict(
      signature({
        name: "review",
        instruction: "Review.",
        input: { question: text("question") },
        output: { summary: text("summary"), isEnough: z.boolean() },
      }),
      { probabilities: { isEnough: {} } },
    );
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const { trace } = await step.attemptCall({ question: "?" }, at, { lm });
    expectClose(trace.decisions?.["isEnough"]?.probabilities, { true: 0.6, false: 0.4 });
    expect(trace.decisions?.["isEnough"]).toMatchObject({ written: true, decided: true });
  });

  it("is asked for on the wire with the schema, and only by predictors that want it", async () => {
    await using server = await vllmServer();
    server.always(chatPath, spelledReply(['{"label":"', "yes", '"}']));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    await judge(["yes", "no"]).run({ question: "?" }, { lm });
    await predict(judging(["yes", "no"])).run({ question: "?" }, { lm });
    const [wanted, plain] = server.requests.map(({ body }) => body);
    expect(wanted).toEqual({ ...plain, logprobs: true, top_logprobs: 20 });
  });
});

describe("without log-probabilities", () => {
  const stated = judging(["yes", "no"], { sure: z.number() });
  const verbalized = predict(stated, { probabilities: { label: { verbalized: { yes: "sure" } } } });
  const plainReply = silentReply('{"label":"yes","sure":0.7}');

  it("the confidence that the model states counts, and is called verbalized", async () => {
    const { trace } = await callOf(verbalized, plainReply);
    expectClose(trace.decisions?.["label"]?.probabilities, { yes: 0.7, no: 0.3 });
    expect(trace.decisions?.["label"]?.source).toBe("verbalized");
    // The reply that came without them is used.
    expect(trace.calls).toHaveLength(1);
  });

  it("no probability is made up", async () => {
    const { trace } = await callOf(predict(stated, { probabilities: { label: {} } }), plainReply);
    expect(trace.decisions?.["label"]).toEqual({
      written: "yes",
      decided: "yes",
      source: null,
      probabilities: null,
    });
  });

  it("log-probabilities come first where both are there", async () => {
    const tokens = ['{"label":"', { yes: 0.1, no: 0.9 }, '","sure":0.7}'];
    const { trace } = await callOf(verbalized, spelledReply(tokens));
    expect(trace.decisions?.["label"]).toMatchObject({ source: "logprobs", written: "yes" });
  });

  it("an LM that has none is asked again without; one that is known to have none, once", async () => {
    const requests: unknown[] = [];
    const lm: LanguageModel = {
      identity: { provider: "own", model: "silent" },
      doGenerate: async (request) => {
        requests.push(request.topLogprobs);
        if (request.topLogprobs === undefined) return { ...emptyReply, content: statedYes };
        throw new LmError({ code: "lm-unsupported", problem: "No log-probabilities" });
      },
    };
    await verbalized.run({ question: "?" }, { lm });
    const verbalizedOnly = predict(stated, {
      probabilities: { label: { logprobs: false, verbalized: { yes: "sure" } } },
    });
    const { trace } = await verbalizedOnly.attemptCall({ question: "?" }, at, { lm });
    expect(requests).toEqual([20, undefined, undefined]);
    expect(trace.calls).toHaveLength(1);
    expect(trace.decisions?.["label"]?.source).toBe("verbalized");
  });
});

it.each([
  ["a text output", { summary: {} }],
  ["an unknown label", { label: { verbalized: { perhaps: "sure" } } }],
  ["a confidence in an output that is no number", { label: { verbalized: { yes: "summary" } } }],
])("probabilities of %s are refused", (_, probabilities) => {
  const declared = judging(["yes", "no"], { sure: z.number(), summary: text("summary") });
  expect(() => predict(declared, { probabilities })).toThrow("`probabilities`");
});

const at = { path: "judge", predictor: "judge" };
const statedYes = '{"label":"yes","sure":0.7}';
const emptyReply = {
  reasoning: null,
  finishReason: "stop",
  usage: { promptTokens: 1, completionTokens: 1, cachedPromptTokens: null, reasoningTokens: null },
  model: "silent",
  latencyMs: 0,
  source: "server",
} as const;

function judging(labels: readonly string[], more: Record<string, z.ZodType> = {}) {
  return signature({
    name: "judge",
    instruction: "Judge.",
    input: { question: text("question") },
    output: { label: z.enum(labels as [string, ...string[]]), ...more },
  });
}

function judge(labels: readonly string[]) {
  return predict(judging(labels), { probabilities: { label: {} } });
}

async function callOf(step: ReturnType<typeof judge>, answer: Answer) {
  await using server = await vllmServer();
  server.always(chatPath, answer);
  const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
  return await step.attemptCall({ question: "?" }, at, { lm });
}

/** The trace of a program of one predictor. */
async function asked(labels: readonly string[], answer: Answer): Promise<PredictorTrace> {
  await using server = await vllmServer();
  server.always(chatPath, answer);
  const judges = program({
    name: "judges",
    version: "1",
    input: { question: text("question") },
    output: { label: z.string() },
    predictors: { judge: judge(labels) },
    forward: ({ question }, { predictors }) => predictors.judge({ question }),
  });
  const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
  const { trace } = await judges.attempt({ question: "?" }, { lm });
  return trace.children[0] as PredictorTrace;
}

function expectClose(found: unknown, expected: Record<string, number>): void {
  expect(Object.keys(found ?? {})).toEqual(Object.keys(expected));
  for (const [label, probability] of Object.entries(expected)) {
    expect((found as Record<string, number>)[label]).toBeCloseTo(probability, 12);
  }
}
