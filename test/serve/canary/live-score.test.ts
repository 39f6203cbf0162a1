import type { ChatOutcome, LiveMetric } from "espalier/serve";
import { expect, test } from "vitest";
import { liveScore } from "../../../src/serve/canary/canary-answerer.ts";
import { noUsage } from "../../../src/serve/model/chat-exchange.ts";

const answered: ChatOutcome = {
  answer: "By the river.",
  citations: [],
  contexts: [],
  usage: noUsage,
  version: "declared",
  trace: null,
};
const failed = (kind: "format" | "program" | "infrastructure" | "aborted", code: string) =>
  ({ ...answered, answer: "", failure: { kind, code, message: "" } }) as ChatOutcome;

function score(
  outcome: ChatOutcome,
  metrics: Readonly<Record<string, LiveMetric>> = {},
  hasExpired = false,
) {
  const faults: string[] = [];
  const onFault = (metric: string, problem: string) => void faults.push(`${metric}: ${problem}`);
  const given = { question: "Where?", history: [], outcome };
  return { score: liveScore(given, { metrics, hasExpired, onFault }), faults };
}

test("the score is the mean of the metrics and of having answered", () => {
  expect(score(answered).score).toBe(1);
  expect(score(answered, { half: () => 0.5, none: () => 0 }).score).toBe(0.5);
  const isAnswered: LiveMetric = ({ question, outcome }) =>
    question === "Where?" && outcome.answer === "By the river." ? 1 : 0;
  expect(score(answered, { isAnswered }).score).toBe(1);
});

test("a version that fails or is late scores 0, and its answers are not looked at", () => {
  const metrics = { all: () => 1 };
  expect(score(failed("format", "output-unparseable"), metrics).score).toBe(0);
  expect(score(failed("program", "program-failed"), metrics).score).toBe(0);
  expect(score(failed("program", "lm-request-refused"), metrics).score).toBe(0);
  expect(score(failed("aborted", "aborted"), metrics, true).score).toBe(0);
});

test("what is no fault of a version says nothing of it", () => {
  expect(score(failed("infrastructure", "lm-stalled")).score).toBeNull();
  expect(score(failed("infrastructure", "search-failed")).score).toBeNull();
  expect(score(failed("aborted", "aborted")).score).toBeNull();
  expect(score(failed("program", "lm-unauthorized")).score).toBeNull();
});

test("what a client can bring about at will says nothing of a version", () => {
  expect(score(failed("format", "lm-context-overflow")).score).toBeNull();
  expect(score(failed("program", "input-invalid")).score).toBeNull();
});

test("a metric that throws or leaves [0, 1] gives no score, and is named", () => {
  const metrics = {
    fine: () => 1,
    broken: () => {
      throw new Error("No citations.");
    },
  };
  expect(score(answered, metrics)).toEqual({ score: null, faults: ["broken: No citations."] });
  for (const value of [-0.1, 1.1, Number.NaN]) {
    expect(score(answered, { odd: () => value })).toEqual({
      score: null,
      faults: [`odd: It returned ${value} instead of a score in [0, 1].`],
    });
  }
});
