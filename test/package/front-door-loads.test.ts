import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loadedModules, watchedModules } from "../support/loaded-modules.ts";

test("a file with one signature loads nothing that reaches a model, evaluates or serves", async () => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", resolve("signatures/answer-directly.ts")],
    { env: { ...process.env, ...watchedModules } },
  );
  const { packages, folders } = loadedModules(stderr);
  expect(folders.toSorted()).toEqual([
    "ax",
    "contract",
    "errors",
    "experiment",
    "internal",
    "metric",
    "program",
    "signature",
    "statistics",
    "study",
  ]);
  for (const heavy of ["openai", "hono", "p-queue"]) expect(packages).not.toContain(heavy);
});

test("a search of texts loads nothing that renders prompts, runs programs or reaches a model", async () => {
  const search = `
    import { customProposer, gepa, optimizeTexts } from "espalier/optimizer";
    const { spent } = await optimizeTexts(
      {
        name: "length",
        version: "1",
        texts: { text: "a" },
        train: { a: 1, b: 2 },
        val: { c: 3, d: 4 },
        evaluate: ({ text }) => ({ score: 1 - 1 / text.length, feedback: "Write more." }),
      },
      {
        optimizer: gepa({
          reflection: { proposer: customProposer("longer", ({ component }) => component.value + "a") },
        }),
        budget: { metricCalls: 20 },
      },
    );
    if (spent.reflectionCalls === 0) throw new Error("Nothing was proposed.");`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", "--input-type=module", "--eval", search],
    { env: { ...process.env, ...watchedModules } },
  );
  const { packages, folders } = loadedModules(stderr);
  expect(folders.toSorted()).toEqual([
    "contract",
    "errors",
    "evaluate",
    "internal",
    "ledger",
    "lm",
    "mock",
    "optimizer",
    "statistics",
    "storage",
    "word-diff",
  ]);
  expect(packages).toEqual(["seedrandom", "diff"]);
});
