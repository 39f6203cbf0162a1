import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { test } from "../support/vllm-test.ts";
import { failureOf, workplace } from "./support/workplace.ts";

const shipped = resolve("optimizers/experiments");
/** The main table of each system that has one. */
const tables: readonly (readonly [name: string, path: string, rows: readonly string[]])[] = [
  [
    "hanrag-ablation",
    join(shipped, "hanrag-ablation.ts"),
    ["hanrag", "without-relevance", "without-ending", "without-refiner"],
  ],
  [
    "ails-ntua-fusion",
    join(shipped, "ails-ntua-fusion.ts"),
    ["published-weights", "without-reranker", "searched-weights"],
  ],
  [
    "notes-guided-recall",
    resolve(import.meta.dirname, "experiments/notes-guided-recall.ts"),
    ["as-declared", "optimized"],
  ],
];

test.for(tables)(
  "%s runs to its end on real servers alone, and its table names no stand-in",
  async ([, path, rows], { systems, embedder, reranker }) => {
    await using place = await workplace({ lm: systems, embedder, reranker });
    const options = ["--sample=2", "--budget=30", "--cache=none", "--run=run"];
    const result = await place.cli("experiment", path, ...options);
    expect(failureOf(result)).toBeNull();
    for (const file of ["table.md", "table.json"]) {
      const table = await readFile(join(place.path, "run", file), "utf8");
      for (const row of rows) expect(table).toContain(row);
      expect(table).not.toMatch(/stand-?in[s ](?!":\[\])|rehears/i);
    }
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/stand-?in|rehears/i);
  },
);
