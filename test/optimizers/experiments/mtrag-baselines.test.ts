import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import baselines from "../../../optimizers/experiments/mtrag-baselines.ts";
import { workOfRow } from "./work-of-row.ts";

const rewrites = [
  ["minimal-rewrite", "rewriteMinimally"],
  ["corpus-specific-rewrite", "rewriteForEncyclopedia"],
  ["chain-of-thought-rewrite", "rewriteStepByStep"],
  ["hypothetical-passage", "writeHypotheticalPassage"],
  ["anchor-keyword-rewrite", "rewriteWithKeywords"],
] as const;

test.each(rewrites)("the row %s searches once and reranks nothing", async (name, rewriter) => {
  expect((await workOfRow(baselines, name)).paths).toEqual([rewriter, "bm25"]);
});

test.each(rewrites)("the row %s is the candidate of that name", (name) => {
  const file = `optimizers/candidates/mtrag-baselines/${name}.json`;
  const { candidate } = baselines.rows.find((row) => row.name === name) ?? {};
  expect(candidate).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

test.each(["minimal-rewrite-reranked", "minimal-rewrite-fused"])(
  "the row %s reranks what the minimal rewrite found",
  async (name) => {
    const { paths } = await workOfRow(baselines, name);
    expect(paths).toEqual(["rewriteMinimally", "bm25", expect.stringContaining("lexical")]);
  },
);
