import { expect, test } from "vitest";
import { agent, program as declared, signature, tool } from "espalier";
import { z } from "zod";
import { evaluate, failureTable, formatFailureTable } from "../../src/evaluate/index.ts";
import { metric, scored } from "../../src/metric/index.ts";
import { scriptedLm } from "../support/scripted-lm.ts";
import type { Held } from "./programs.ts";
import { echo, evaluateValues, examplesOf, failureWith, unusedLm } from "./programs.ts";

const judge = metric<Held, Held>({
  name: "m",
  version: "1",
  score: ({ output: { value } }) =>
    scored(value, value < 0.5 ? `The answer\n  misses ${"much ".repeat(30)}` : undefined),
});

const program = echo((input, { exampleId = "" }) => {
  if (exampleId === "e1") throw failureWith("lm-stalled");
  if (["e2", "e3", "e4", "e5", "e6", "e7"].includes(exampleId)) throw failureWith("output-empty");
  return input;
});

const values = [0.9, 1, 1, 1, 1, 1, 1, 1, 0.2, 0.7, 0.2];
const options = {
  program,
  metric: judge,
  lm: unusedLm,
  resamples: 0,
  examples: examplesOf(values),
};

test("groups failures by code, most frequent first, beside the lowest scores", async () => {
  const table = failureTable(await evaluate(options), 2);
  expect(table.groups.map(({ code, kind, exampleIds }) => [code, kind, exampleIds])).toEqual([
    ["output-empty", "format", ["e2", "e3", "e4", "e5", "e6", "e7"]],
    ["lm-stalled", "infrastructure", ["e1"]],
  ]);
  expect(table.lowest.map(({ exampleId, value }) => [exampleId, value])).toEqual([
    ["e8", 0.2],
    ["e10", 0.2],
  ]);
});

test("prints as plain text with cut lines", async () => {
  const text = formatFailureTable(failureTable(await evaluate(options), 3));
  expect(text).toMatchInlineSnapshot(`
    "Failures:
    6 x output-empty (format): The reply has no content.
      examples: e2, e3, e4, e5, e6 and 1 more
      first: Planted output-empty.
    1 x lm-stalled (infrastructure): The server sent nothing for longer than the stall timeout.
      examples: e1
      first: Planted lm-stalled.
    Lowest scores:
      0.2000  e8  The answer misses much much much much much much much much much much much much much much much much...
      0.2000  e10  The answer misses much much much much much much much much much much much much much much much much...
      0.7000  e9"
  `);
});

test("shows what the model was last told of a tool that failed", async () => {
  await using lm = await scriptedLm((_, index) =>
    index === 0
      ? {
          toolCalls: [
            ["query", { sql: "a" }],
            ["query", { sql: "vehicles" }],
          ],
        }
      : '{"value":0}',
  );
  const query = tool({
    name: "query",
    description: "Runs SQL.",
    input: { sql: z.string() },
    run: ({ sql }) => {
      throw new Error(`no such table: ${sql}`);
    },
  });
  const fields = { value: z.number() };
  const given = { asked: z.number() };
  const asking = signature({ name: "ask", instruction: "Ask.", input: given, output: fields });
  const asker = declared({
    name: "asker",
    version: "1",
    input: fields,
    output: fields,
    predictors: { clerk: agent({ signature: asking, tools: [query] }) },
    forward: async ({ value: asked }, { predictors }) => predictors.clerk({ asked }),
  });
  const evaluation = await evaluate({
    ...options,
    program: asker,
    lm: lm.lm,
    examples: examplesOf([1]),
  });
  expect(formatFailureTable(failureTable(evaluation))).toContain(
    "0.0000  e0  The answer misses much much much much much much much much much much much much much much much much...  [query: no such table: vehicles]",
  );
});

test("finds a failure in any repetition", async () => {
  const once = echo((input, { repetition }) => {
    if (repetition === 1) throw failureWith("output-truncated");
    return input;
  });
  const twice = { ...options, program: once, examples: examplesOf([-1]), repetitions: 2 };
  const { groups, lowest } = failureTable(await evaluate(twice));
  expect(groups).toMatchObject([{ code: "output-truncated", exampleIds: ["e0"] }]);
  expect(lowest).toMatchObject([{ exampleId: "e0", value: -0.5 }]);
});

test("says so when nothing failed", async () => {
  const evaluation = await evaluateValues([1], { resamples: 0 });
  expect(formatFailureTable(failureTable(evaluation))).toBe(
    "No run failed.\nLowest scores:\n  1.0000  e0",
  );
});
