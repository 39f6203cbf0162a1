import { evaluate } from "espalier/evaluate";
import { metric, scored } from "espalier/metric";
import { expect, test } from "vitest";
import { comparisonText } from "../../src/cli/compare/comparison-text.ts";
import { comparisonLines } from "../../src/cli/eval/evaluation-text.ts";
import { optimizationText } from "../../src/cli/optimize/optimization-text.ts";
import { reportText } from "../../src/cli/show/run-text.ts";
import type { LedgerSnapshot } from "../../src/ledger/index.ts";
import type { OptimizationResult } from "../../src/optimizer/index.ts";
import { reportedFigures } from "../../src/report/on-test/test-report.ts";
import { headline } from "../../src/report/headline.ts";
import type { Contrast, RunComparison } from "../../src/report/index.ts";
import type { Judged } from "../../src/statistics/index.ts";
import { verdictWords } from "../../src/statistics/index.ts";
import type { Held } from "../evaluate/programs.ts";
import { echo, unusedLm } from "../evaluate/programs.ts";
import { chromiumPages } from "../serve/routes/page/chromium.ts";
import { madeComparison } from "./made-comparison.ts";
import { opened } from "./opened.ts";

const pages = chromiumPages();
const seen = { difference: 0.3, pValue: 0.2, examples: 12, clusters: 12, better: 8, worse: 2 };

const cases: Readonly<Record<string, Judged>> = {
  "one that is better": {
    ...seen,
    verdict: "better",
    interval: { low: 0.1, high: 0.5 },
    pValue: 0.002,
  },
  "an undecided one whose interval is too narrow": {
    ...seen,
    verdict: "undecided",
    interval: { low: 0.03, high: 0.53 },
    pValue: 0.0625,
    examples: 5,
    clusters: 5,
    better: 4,
    worse: 1,
  },
  "an undecided one whose interval is wide": {
    ...seen,
    verdict: "undecided",
    interval: { low: -0.1, high: 0.7 },
  },
  "a tie": {
    ...seen,
    verdict: "undecided",
    difference: 0,
    interval: { low: 0, high: 0 },
    pValue: 1,
    better: 0,
    worse: 0,
  },
};

const examples = [{ id: "e1", cluster: "c1", input: { value: 1 }, labels: {} }];
const evaluation = await evaluate({
  program: echo(),
  examples,
  metric: metric<Held, Held, object>({ name: "recall@10", version: "1", score: () => scored(0.5) }),
  lm: unusedLm,
});
const made = madeComparison({ candidates: 3, examples: 4 });
const [run] = made.sources;
const [contrast] = made.contrasts;

test.each(Object.entries(cases))("every place has the same words of %s", async (_what, judged) => {
  const comparison = { ...judged, equal: judged.examples - judged.better - judged.worse };
  const wordsAgainst = (baseline: string): readonly string[] => {
    const { verdict, reason, help } = verdictWords(judged, baseline);
    return [verdict, ...[reason, help].filter((text) => text !== null)];
  };
  const compared = comparedBy(comparison);
  const against = contrast?.baseline.name ?? "";
  const start = "the program it started from";

  const texts: readonly (readonly [text: string, baseline: string])[] = [
    [comparisonLines({ ...comparison, dropped: [] }, "recall@10").join("\n"), "the baseline"],
    [endOfOptimize(comparison), start],
    [reportText({ 1: [figureOf(comparison)] }).join("\n"), start],
    [comparisonText(compared), against],
  ];
  for (const [text, baseline] of texts) {
    // A report says what decided where nothing was.
    const isShort = baseline === start && judged.verdict === "better";
    for (const words of wordsAgainst(baseline).slice(0, isShort ? 1 : 3))
      expect(text).toContain(words);
    // Beside an undecided verdict this interval would contradict it.
    expect(text).not.toContain("0.0300");
  }

  const sentence = compared.headline?.sentence ?? "";
  for (const words of wordsAgainst(start))
    expect(sentence.toLowerCase()).toContain(words.toLowerCase());
  // The same sentence in each place that tells of a change; the figures of the first may follow.
  const gain = { better: "a gain: on ", worse: "a loss: on ", undecided: "no gain is shown: on " };
  for (const text of [sentence, ...texts.map(([each]) => each)])
    expect(text.toLowerCase()).toContain(gain[judged.verdict]);

  await using report = await opened(pages, compared);
  const shown = async (place: string): Promise<string> =>
    (await report.page.locator(place).first().innerText()).toLowerCase();
  const places: readonly (readonly [place: string, baseline: string])[] = [
    [".answers", start],
    ["section:has(> h2:text-is('Reports on test'))", start],
    ["section:has(> h2:text-is('Paired differences'))", against],
  ];
  for (const [place, baseline] of places) {
    const text = await shown(place);
    for (const words of wordsAgainst(baseline)) expect(text).toContain(words.toLowerCase());
    expect(text).not.toContain("0.030");
  }
});

type Compared = Judged & { readonly equal: number };

/** What a report on test of candidate 1 found. */
function figureOf(comparison: Compared) {
  return {
    metric: "recall@10",
    seed: { value: 0.5, interval: null },
    optimized: { value: 0.5 + comparison.difference, interval: null },
    comparison,
    isClaimable: true,
  };
}

/** A run with that report, whose one contrast has the same figures. */
function comparedBy(comparison: Compared): RunComparison {
  if (run?.kind !== "run" || contrast === undefined) throw new Error("There is one run.");
  const best = run.best ?? 0;
  const { optimized, ...figure } = figureOf(comparison);
  const sources = [{ ...run, test: [{ candidate: best, ...figure, ...optimized }] }];
  const contrasts: readonly Contrast[] = [{ ...contrast, ...comparison }];
  const compared = { ...made, sources, contrasts };
  return { ...compared, headline: headline(compared) };
}

/** Of a search that accepted nothing: what its end says of the report does not depend on that. */
function endOfOptimize(comparison: Compared): string {
  const seed = { id: 0, parents: [], components: [], selection: { value: 0.5, scores: {} } };
  const result = {
    reason: "budget",
    best: seed,
    candidates: [seed],
    rejections: [],
    spent: { metricCalls: 1, reflectionCalls: 0, lmCalls: 1, tokens: 1 },
    seconds: 1,
  } as unknown as OptimizationResult;
  const figure = {
    metric: "recall@10",
    seed: evaluation,
    optimized: evaluation,
    comparison: { ...comparison, dropped: [] },
  };
  const report = { ...figure, objectives: [], drift: null };
  return optimizationText(result, report, {
    figures: reportedFigures(report),
    ledger: { byRole: {} } as LedgerSnapshot,
    choice: undefined,
    earlier: [],
    showAll: "espalier show RUN",
  });
}
