import { expect, it } from "vitest";
import { z } from "zod";
import { agent, EspalierError, program, signature, text, tool } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { gepa, optimize } from "espalier/optimizer";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { serverGate } from "../../../src/optimizer/budget/index.ts";
import { journalled, workLog } from "../../../src/optimizer/run-folder/index.ts";
import { outcomeIn, toolModel, toolRequest } from "../../../src/program/call/tool-session.ts";
import { callKeys } from "../../../src/lm/index.ts";
import { memoryLines } from "../../../src/storage/index.ts";

const sold: string[] = [];
const sell = (mock?: () => string) =>
  tool({
    name: "sell",
    description: "Sells a thing.",
    input: { thing: z.string() },
    hasSideEffects: true,
    run: ({ thing }) => {
      sold.push(thing);
      return "sold";
    },
    ...(mock && { mock }),
  });

const rows = (split: string) =>
  [1, 2, 3].map((at) => ({
    id: `${split}${at}`,
    input: { question: `Thing ${split} ${at}?` },
    labels: {},
  }));

const taskWith = (mock?: () => string) => ({
  program: program({
    name: "shop",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: {
      clerk: agent({
        signature: signature({
          name: "clerk",
          instruction: "Sell it.",
          input: { question: text("question") },
          output: { answer: text("answer") },
        }),
        tools: [sell(mock)],
      }),
    },
    forward: async ({ question }, { predictors }) => predictors.clerk({ question }),
  }),
  trainset: trainset({
    name: "things",
    version: "1",
    licence: "Apache-2.0",
    source: "own writing",
    splits: { train: rows("train"), val: rows("val"), test: rows("test") },
  }),
  objective: metric<{ question: string }, { answer: string }, object>({
    name: "fixed",
    version: "1",
    score: () => scored(0.5, "Nothing to say."),
  }),
});

const options = () => ({
  lm: rehearsalLm(),
  optimizer: gepa({ budget: { metricCalls: 12, reflectionCalls: 2 } }),
});

it("a search never runs a tool with side effects, unless it is allowed to", async () => {
  await expect(optimize(taskWith(), options())).rejects.toMatchObject({ code: "tool-not-allowed" });
  await optimize(
    taskWith(() => "would be sold"),
    options(),
  );
  expect(sold).toEqual([]);
  await optimize(taskWith(), { ...options(), allowsSideEffects: true });
  expect(sold.length).toBeGreaterThanOrEqual(3);
});

it("a call with side effects that was in flight at a kill is not made again", async () => {
  sold.length = 0;
  const shop = sell();
  const model = toolModel(shop);
  const request = toolRequest(shop, { thing: "tin" }, { callPath: "clerk/sell[1.1]" });
  const other = toolRequest(shop, { thing: "tin" }, { callPath: "clerk/sell[1.2]" });
  const reopened = {
    ...memoryLines(),
    existing: [
      { kind: "sent", key: callKeys(model.identity)(request, 0), role: "tool", worstUsd: 0 },
    ],
  };
  const recorded = journalled(model, workLog(reopened), serverGate({}));
  const unknown = outcomeIn(await recorded.doGenerate(request, { role: "tool" }));
  expect(unknown).toMatchObject({
    ok: false,
    error: expect.stringContaining("not repeated") as string,
  });
  expect(sold).toEqual([]);
  const made = outcomeIn(await recorded.doGenerate(other, { role: "tool" }));
  expect(made).toEqual({ ok: true, value: "sold" });
  await recorded.doGenerate(other, { role: "tool" });
  expect(sold).toEqual(["tin"]);
});

it("a call with side effects is not made again after its server failed", async () => {
  let made = 0;
  const shop = tool({
    name: "sell",
    description: "Sells a thing.",
    input: { thing: z.string() },
    hasSideEffects: true,
    run: () => {
      made += 1;
      throw new EspalierError({ code: "tool-server-failed", problem: "The server is gone" });
    },
  });
  const model = toolModel(shop);
  const request = toolRequest(shop, { thing: "tin" }, { callPath: "clerk/sell[1.1]" });
  const recorded = journalled(model, workLog(memoryLines()), serverGate({}));
  await expect(recorded.doGenerate(request, { role: "tool" })).rejects.toThrow("is gone");
  expect(outcomeIn(await recorded.doGenerate(request, { role: "tool" }))).toMatchObject({
    ok: false,
    error: expect.stringContaining("not repeated") as string,
  });
  expect(made).toBe(1);
});
