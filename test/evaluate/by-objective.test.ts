import { expect, it } from "vitest";
import type { MetricArguments } from "espalier";
import { predict, program, signature, text } from "espalier";
import { byObjective, compare, evaluate } from "espalier/evaluate";
import { metric, scored } from "espalier/metric";
import { thrownBy } from "../support/thrown-by.ts";
import { scriptedLm } from "../support/scripted-lm.ts";

const echo = signature({
  name: "echo",
  instruction: "Echo.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});
const echoer = program({
  name: "echoer",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { echo: predict(echo) },
  forward: async (given, { predictors }) => predictors.echo(given),
});
const examples = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => ({
  id: `q${value}`,
  input: { question: `${value}` },
  labels: { value },
  cluster: `c${value % 4}`,
}));

type Arguments = MetricArguments<unknown, unknown, { readonly value: number }>;
const twofold = metric({
  name: "value",
  version: "1",
  score: ({ example: { labels } }: Arguments) =>
    scored(labels.value, "", [], labels.value === 8 ? {} : { half: labels.value / 2 }),
});
/** The same figures, with the half as the value. */
const half = metric({
  name: "half",
  version: "1",
  score: ({ example: { labels } }: Arguments) =>
    labels.value === 8
      ? { kind: "not-applicable" as const, reason: "as above" }
      : scored(labels.value / 2),
});

it("makes of an objective what an evaluation by it alone gives: value, interval and comparison", async () => {
  await using server = await scriptedLm(() => '{"answer":"yes"}');
  const { lm } = server;
  const both = await evaluate({ program: echoer, examples, metric: twofold, lm });
  const alone = await evaluate({ program: echoer, examples, metric: half, lm });
  const derived = byObjective(both, "half");
  expect(derived.value).toBe(2);
  const { value, interval, counts, coverage, metric: named } = alone;
  expect(derived).toMatchObject({ value, interval, counts, coverage, metric: named });
  expect(compare(alone, derived)).toMatchObject({ difference: 0, equal: 7 });
});

it("refuses an objective that no row reports, and names those there are", async () => {
  await using server = await scriptedLm(() => '{"answer":"yes"}');
  const { lm } = server;
  const evaluation = await evaluate({ program: echoer, examples, metric: twofold, lm });
  const error = await thrownBy(() => byObjective(evaluation, "third"));
  expect(error).toMatchObject({ code: "comparison-invalid" });
  expect(error.message).toContain("Expected: half");
});
