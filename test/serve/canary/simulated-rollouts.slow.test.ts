import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { RandomSource } from "../../../src/internal/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { sequentialComparison } from "../../../src/serve/comparison/sequential-comparison.ts";
import { incrementalComparison } from "../../../src/serve/canary/canary-report.ts";
import { openServeState } from "../../../src/serve/state/open-serve-state.ts";
import { canaryRun, observationWeight } from "../../../src/serve/canary/canaries.ts";
import { declared } from "../served.ts";

const runs = 200;

interface Simulation {
  /** Probability of an answer with score 1, else 0. */
  readonly baseline: number;
  readonly candidate: number;
  /** `pairs`: both answer each question. */
  readonly canary: number | "pairs";
  readonly tolerance?: number;
}

/**
 * In how many of the runs the candidate was rolled back, and after how many keys in the middle one.
 */
function simulated(
  { baseline, candidate, canary, tolerance = 0 }: Simulation,
  keys: number,
): { readonly rolledBack: number; readonly median: number } {
  const good = (draws: RandomSource, probability: number): number =>
    draws.random() < probability ? 1 : 0;
  const shares = canary === "pairs" ? { canary: 0, shadow: 1 } : { canary, shadow: 0 };
  const of = {
    baseline: { apiKey: "", weight: observationWeight(shares, "baseline") },
    candidate: { apiKey: "", weight: observationWeight(shares, "candidate") },
    both: { apiKey: "", weight: observationWeight(shares, "both") },
  };
  const ends = Array.from({ length: runs }, (_, run) => {
    const draws = randomSource(1, `${baseline} ${candidate} ${canary}`, run);
    const seen = sequentialComparison({ alpha: 0.05, tolerance, keyShare: 1 });
    for (let key = 1; key <= keys; key += 1) {
      if (canary === "pairs") {
        seen.add({
          ...of.both,
          baseline: good(draws, baseline),
          candidate: good(draws, candidate),
        });
      } else if (draws.random() < canary) {
        seen.add({ ...of.candidate, baseline: null, candidate: good(draws, candidate) });
      } else seen.add({ ...of.baseline, baseline: good(draws, baseline), candidate: null });
      if (seen.findings.isShownWorse) return key;
    }
    return Infinity;
  }).toSorted((left, right) => left - right);
  return { rolledBack: ends.filter(Number.isFinite).length, median: ends[runs / 2] ?? Infinity };
}

const notWorse: readonly Simulation[] = [
  { baseline: 0.8, candidate: 0.8, canary: 0.1 },
  { baseline: 0.8, candidate: 0.8, canary: 0.5 },
  { baseline: 0.5, candidate: 0.5, canary: 0.5 },
  { baseline: 0.8, candidate: 0.8, canary: "pairs" },
  { baseline: 0.8, candidate: 0.75, canary: 0.5, tolerance: 0.05 },
  { baseline: 0.8, candidate: 0.85, canary: 0.1 },
  { baseline: 0.8, candidate: 0.85, canary: 0.5 },
];

const worse: readonly Simulation[] = [
  { baseline: 0.8, candidate: 0.7, canary: 0.1 },
  { baseline: 0.8, candidate: 0.7, canary: 0.5 },
  { baseline: 0.8, candidate: 0.7, canary: "pairs" },
  { baseline: 0.8, candidate: 0.6, canary: 0.1 },
  { baseline: 0.8, candidate: 0.6, canary: 0.5 },
  { baseline: 0.8, candidate: 0.6, canary: "pairs" },
  { baseline: 0.95, candidate: 0.5, canary: 0.1 },
];

const rowOf = ({ baseline, candidate, canary, tolerance = 0 }: Simulation, end: string): string => {
  const share = canary === "pairs" ? "shadow 1" : `canary ${canary}`;
  return `| ${baseline} | ${candidate} | ${share} | ${tolerance} | ${end} |`;
};

/** Production, candidate, tried by, tolerance, rolled back of 200, median of users. */
const stated = [
  "| 0.8 | 0.8 | canary 0.1 | 0 | 3 | |",
  "| 0.8 | 0.8 | canary 0.5 | 0 | 3 | |",
  "| 0.5 | 0.5 | canary 0.5 | 0 | 6 | |",
  "| 0.8 | 0.8 | shadow 1 | 0 | 6 | |",
  "| 0.8 | 0.75 | canary 0.5 | 0.05 | 5 | |",
  "| 0.8 | 0.85 | canary 0.1 | 0 | 0 | |",
  "| 0.8 | 0.85 | canary 0.5 | 0 | 1 | |",
  "| 0.8 | 0.7 | canary 0.1 | 0 | 200 | 1357 |",
  "| 0.8 | 0.7 | canary 0.5 | 0 | 200 | 571 |",
  "| 0.8 | 0.7 | shadow 1 | 0 | 200 | 298 |",
  "| 0.8 | 0.6 | canary 0.1 | 0 | 200 | 487 |",
  "| 0.8 | 0.6 | canary 0.5 | 0 | 200 | 149 |",
  "| 0.8 | 0.6 | shadow 1 | 0 | 200 | 83 |",
  "| 0.95 | 0.5 | canary 0.1 | 0 | 200 | 163 |",
];

test("of candidates that are not worse at most 5 % are rolled back, of worse ones nearly all: as the docs say", async () => {
  const docs = await readFile("docs/guide/serving.md", "utf8");
  const rows = [
    ...notWorse.map((simulation) => {
      const { rolledBack } = simulated(simulation, 3_000);
      expect(rolledBack).toBeLessThanOrEqual(0.05 * runs);
      return rowOf(simulation, `${rolledBack} |`);
    }),
    ...worse.map((simulation) => {
      const { rolledBack, median } = simulated(simulation, 10_000);
      expect(rolledBack).toBeGreaterThanOrEqual(0.95 * runs);
      return rowOf(simulation, `${rolledBack} | ${median}`);
    }),
  ];
  expect(rows).toEqual(stated);
  expect(docs).toContain(
    "a median of 1,357 users with a canary of 10 %, 571 with 50 %, and 298 with a shadow of 100 %. An equal candidate was rolled back in at most 6 of 200",
  );
});

/** Rollouts of equal versions under users who are each always well served, or never. */
function falseAlarms(rollouts: number, keyOf: (user: number, request: number) => string): number {
  let alarms = 0;
  const [model] = declared.models;
  if (model === undefined) throw new Error("There are models.");
  for (let run = 0; run < rollouts; run += 1) {
    const draws = randomSource(2, "heavy users", run);
    using state = openServeState(":memory:");
    const pair = { model: "towns", baseline: "a", candidate: `b${run}`, since: "" };
    const settings = { canary: 0.5, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
    const rollout = state.begin(pair, settings);
    let isRolledBack = false;
    const running = canaryRun({
      rollout,
      candidate: model,
      state,
      findingsOf: incrementalComparison(state),
      onShownWorse: () => (isRolledBack = true),
      onFault: (error) => {
        throw error;
      },
    });
    const requests = Array.from({ length: 60 }, (_, user) => {
      const score = draws.random() < 0.7 ? 1 : 0;
      // Most ask once or twice, some a hundred times.
      const count = Math.min(100, Math.floor(1 / draws.random()));
      return Array.from({ length: count }, (_, request) => ({ user, request, score }));
    });
    for (const { user, request, score } of draws.shuffle(requests.flat())) {
      const apiKey = undefined;
      const isCandidates = running.armOf({ apiKey, key: `${user}` }) === "candidate";
      running.observe(
        { apiKey, key: keyOf(user, request) },
        isCandidates ? { baseline: null, candidate: score } : { baseline: score, candidate: null },
      );
    }
    if (isRolledBack) alarms += 1;
  }
  return alarms;
}

test("whoever asks a hundred times counts once, without which users like that would roll good candidates back", () => {
  expect(falseAlarms(runs, (user) => `${user}`)).toBeLessThanOrEqual(0.05 * runs);
  expect(falseAlarms(50, (user, request) => `${user} ${request}`)).toBeGreaterThan(0.1 * 50);
});
