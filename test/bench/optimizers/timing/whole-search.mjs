/**
 * One search of texts in a process of its own, as a user would write it: run by `node` without
 * `--conditions`, it imports the built package. `whole-search.py` is the same work for gepa.
 *
 * Takes the number of metric calls; prints how many were made.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { customProposer, gepa, optimizeTexts } from "espalier/optimizer";

const metricCalls = Number(process.argv[2]);
const examples = (split, count) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [
      `${split}${number}`,
      { number, component: number % 2 === 0 ? "first" : "second" },
    ]),
  );
const levelOf = (text) => Number(text.split(" ")[1]);

let written = 0;
const proposer = customProposer("steps", ({ component: { path, value } }) => {
  written++;
  // Up a little more often than down, so that there is always something to find.
  const step = (written * 7919) % 13 < 7 ? 1 : -1;
  return `${path} ${Math.max(0, levelOf(value) + step)} ${written}`;
});

const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
const { spent, candidates } = await optimizeTexts(
  {
    name: "steps",
    version: "1",
    texts: { first: "first 0 0", second: "second 0 0" },
    train: examples("train", 30),
    val: examples("val", 20),
    evaluate: (texts, { number, component }) => {
      const level = levelOf(texts[component]);
      // Which example likes a level better than another keeps the fronts mixed.
      const jitter = (level * 31 + number * 17) % 1000;
      return {
        score: 1 - 0.9 / (1 + level / 50) - jitter / 1e6,
        ran: [component],
        feedback: { [component]: `Raise the level of ${number}.` },
      };
    },
  },
  {
    optimizer: gepa({ reflection: { proposer } }),
    budget: { metricCalls },
    runFolder: join(folder, "run"),
  },
);
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ metricCalls: spent.metricCalls, candidates: candidates.length }));
