import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { test } from "../support/vllm-test.ts";
import { failureOf, workplace } from "./support/workplace.ts";

const own = resolve(import.meta.dirname, "experiments");
/** The main tables of each system, how many rows it has, and on how many examples. */
const tables: readonly (readonly [name: string, path: string, rows: number, sample: number])[] = [
  ["hanrag-ablation", resolve("optimizers/experiments/hanrag-ablation.ts"), 5, 1],
  // Of one turn there may be nothing to find.
  ["ails-ntua-fusion", join(own, "ails-ntua-fusion.ts"), 5, 4],
  ["notes-guided-recall", join(own, "notes-guided-recall.ts"), 2, 2],
  ["notes-guided-harmonic-mean", join(own, "notes-guided-harmonic-mean.ts"), 5, 1],
  ["ails-ntua-task-c", join(own, "ails-ntua-task-c.ts"), 4, 1],
  ["r2rag", join(own, "r2rag.ts"), 6, 1],
];

const written = z.object({ rows: z.array(z.object({ name: z.string(), mocks: z.tuple([]) })) });

test.for(tables)(
  "%s runs to its end on real servers alone, and its table names no mock",
  async ([, path, rows, sample], { systems, embedder, reranker }) => {
    await using place = await workplace({ lm: systems, embedder, reranker });
    const options = [`--sample=${sample}`, "--budget=30", "--cache=none", "--run=run"];
    const result = await place.cli("experiment", path, ...options);
    expect(failureOf(result)).toBeNull();
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/stand-?in|rehears/i);
    const read = async (file: string) => readFile(join(place.path, "run", file), "utf8");
    const markdown = await read("table.md");
    const table = written.parse(JSON.parse(await read("table.json")));
    expect(table.rows).toHaveLength(rows);
    for (const { name } of table.rows) expect(markdown).toContain(`| ${name} |`);
  },
);
