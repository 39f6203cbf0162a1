import { expect, test } from "vitest";
import type { HeadlineParts } from "../../src/report/headline-text.ts";
import { headlineLead } from "../../src/report/headline-text.ts";

const won: HeadlineParts = {
  kind: "group",
  winner: { name: "gepa (2 seeds)", members: [{ source: "a", candidate: 3 }] },
  baseline: { name: "mipro-v2 (2 seeds)", members: [{ source: "b", candidate: 1 }] },
  split: "val",
  metric: "recall_10",
  value: 0.61,
  baselineValue: 0.55,
  difference: 0.06,
  interval: { low: 0.02, high: 0.1 },
  verdict: "better",
  words: {
    verdict: "better than mipro-v2 (2 seeds)",
    reason: "decided by both: the interval excludes zero, and p is at most 0.05",
    help: null,
    isIntervalTooNarrow: false,
  },
  examples: 50,
  clusters: 50,
  better: 9,
  worse: 2,
  metricCalls: 400,
  tokens: null,
  costUsd: null,
  isRehearsal: false,
};
const ofRun = { winner: { ...won.winner, name: "candidate 3 of a" }, kind: "seed" } as const;

test.each<[what: string, parts: Partial<HeadlineParts>, lead: string]>([
  [
    "a group won",
    {},
    "On val, gepa (2 seeds) is better than mipro-v2 (2 seeds): 0.610 against 0.550 recall_10.",
  ],
  [
    "the difference may be chance",
    {
      verdict: "undecided",
      words: { ...won.words, verdict: "not shown to differ from mipro-v2 (2 seeds)" },
    },
    "On val, gepa (2 seeds) is not shown to differ from mipro-v2 (2 seeds): 0.610 against 0.550 recall_10.",
  ],
  [
    "no example tells them apart",
    {
      verdict: "undecided",
      words: { ...won.words, verdict: "as good as mipro-v2 (2 seeds) on every example" },
      difference: 0,
      baselineValue: 0.61,
      better: 0,
      worse: 0,
    },
    "On val, gepa (2 seeds) is as good as mipro-v2 (2 seeds) on every example: 0.610 recall_10.",
  ],
  [
    "a run got worse on test",
    {
      ...ofRun,
      split: "test",
      verdict: "worse",
      words: { ...won.words, verdict: "worse than the program it started from" },
      difference: -0.06,
      baselineValue: 0.67,
    },
    "A loss: on test, candidate 3 of a is worse than the program it started from: 0.610 against 0.670 recall_10.",
  ],
])("says in one sentence what is better than what: %s", (_what, parts, lead) => {
  expect(headlineLead({ ...won, ...parts })).toBe(lead);
});
