/**
 * Measures a comparison of runs: how long `compareRuns` takes for a run and for one with ten times
 * the candidates, how large its page is and how soon Chromium shows and filters it, and how long a
 * studio that makes the comparison keeps its other pages waiting. Runs and scores are made up; no
 * LM is asked.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { randomSource } from "../../src/internal/index.ts";
import type { SourceGiven } from "../../src/report/index.ts";
import { compareRuns } from "../../src/report/index.ts";
import { reportPage } from "../../src/report-page/index.ts";
import { madeComparison } from "../report-page/made-comparison.ts";
import { studioFigures } from "./report/studio-figures.ts";
import { benchOptions, report } from "./support/bench-options.ts";

const { json, sizes } = benchOptions(
  "report",
  "Measures compareRuns at two sizes, the page of the larger one in Chromium, and a studio that makes it.",
  {
    candidates: [500, "Candidates of the larger run; the smaller one has a tenth"],
    examples: [1_000, "Examples that each candidate has a score on"],
    rounds: [5, "Rounds; their median counts"],
  },
);
const { candidates, examples, rounds } = sizes;

const small = compareMs(candidates / 10);
const large = compareMs(candidates);
const page = await pageFigures();
const studio = await studioFigures({ candidates, examples });

report(
  json,
  [
    `compareRuns, ${examples} examples, median of ${rounds} rounds`,
    `  ${candidates / 10} candidates  ${small.toFixed(0)} ms`,
    `  ${candidates} candidates  ${large.toFixed(0)} ms, ${(large / small).toFixed(1)} times as long`,
    `page of ${candidates} candidates on ${examples} examples`,
    `  ${(page.ownBytes / 1e6).toFixed(2)} MB itself, ${(page.bytes / 1e6).toFixed(2)} MB with data`,
    `  first view after ${page.firstViewMs.toFixed(0)} ms, filtered in ${page.filterMs.toFixed(0)} ms`,
    "studio that is asked for the same comparison, and for its first page all the while",
    `  comparison after ${studio.comparisonMs.toFixed(0)} ms, event loop held for ${studio.longestDelayMs.toFixed(0)} ms at most`,
    `  ${studio.answered} first pages meanwhile, the slowest after ${studio.slowestMs.toFixed(0)} ms`,
  ].join("\n"),
  { compareMs: { small, large }, page, studio },
);

function compareMs(count: number): number {
  const given = [madeRun(count)];
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    compareRuns(given, { resamples: 1_000 });
    return performance.now() - begun;
  });
  return times.toSorted((one, two) => one - two)[Math.floor(rounds / 2)] ?? Number.NaN;
}

/** A run's history as its files would be read; every score is drawn. */
function madeRun(count: number): SourceGiven {
  const draws = randomSource(0, "report-bench", 0);
  const moments: object[] = [];
  const records = Array.from({ length: count }, (_, id) => {
    const scores = Object.fromEntries(
      Array.from({ length: examples }, (_, index) => [`e${index}`, draws.below(5) / 4]),
    );
    const values = Object.values(scores);
    const value = values.reduce((sum, one) => sum + one, 0) / values.length;
    const metricCalls = (id + 1) * examples;
    const evaluated = { split: "val", value, scores, reused: 0, metricCalls, ran: undefined };
    moments.push({ kind: "evaluated", candidate: "proposed", iteration: id, ...evaluated });
    moments.push({ kind: "accepted", candidate: id }, { kind: "iteration-start" });
    return {
      id,
      parents: id === 0 ? [] : [draws.below(id)],
      iteration: id,
      components: [{ kind: "instruction", path: "answer", value: `Instruction ${id}.` }],
      changed: ["answer:instruction"],
      selection: { value, coverage: 1, scores },
      learntFrom: [],
      metricCallsBefore: id * examples,
    };
  });
  const spent = { metricCalls: count * examples, reflectionCalls: count, lmCalls: 0, tokens: 0 };
  const recorded = {
    run: { optimizer: { name: "made-up", version: "1" }, seed: 0 },
    searches: [],
    end: { reason: "budget", used: {} },
    iterations: count,
    candidates: records,
    best: records.at(-1),
    front: [],
    rejections: [],
    disputes: [],
    spent,
    billed: {},
  };
  const history = { recorded, moments, costUsd: null, elapsedMs: 0 };
  return { kind: "run", path: `made-${count}`, history } as unknown as SourceGiven;
}

async function pageFigures(): Promise<
  Readonly<Record<"ownBytes" | "bytes" | "firstViewMs" | "filterMs", number>>
> {
  const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
  const file = join(folder, "report.html");
  const own = reportPage(madeComparison({ candidates: 1, examples: 1, rollouts: 0 }));
  const whole = reportPage(madeComparison({ candidates, examples, rollouts: 20 }));
  await writeFile(file, whole);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.locator("h1").waitFor();
  const firstViewMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-view')[0].startTime",
  );
  await page.evaluate(
    `location.hash = "#flips?baseline=notes-0%3A0&other=notes-0%3A${candidates - 100}&split=val"`,
  );
  await page.getByText(/better, \d+ worse on val/).waitFor();
  const begun = performance.now();
  await page.getByLabel("Search").fill("entry 512.");
  await page.getByText(/of \d+ in all/).waitFor();
  const filterMs = performance.now() - begun;
  await browser.close();
  await rm(folder, { recursive: true });
  return { ownBytes: own.length, bytes: whole.length, firstViewMs, filterMs };
}
