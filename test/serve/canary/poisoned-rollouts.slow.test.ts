import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { RandomSource } from "../../../src/internal/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import type { Observation } from "../../../src/serve/comparison/sequential-comparison.ts";
import { sequentialComparison } from "../../../src/serve/comparison/sequential-comparison.ts";
import { observationWeight } from "../../../src/serve/canary/canaries.ts";

const runs = 200;
const alpha = 0.05;
const asksOfAttacker = 10_000;

interface Poisoning {
  /** Probability of an answer with score 1, else 0, to the four honest API keys. */
  readonly baseline: number;
  readonly candidate: number;
  readonly canary: number;
  /** What the attacker, which knows its version, makes its answers score. */
  readonly attacker: "candidate down" | "candidate up" | null;
  readonly keyShare: number;
  /** Observations of the honest keys together. */
  readonly honest: number;
}

function observed(
  { canary }: Pick<Poisoning, "canary">,
  { apiKey, isCandidates, score }: { apiKey: string; isCandidates: boolean; score: number },
): Observation {
  const shares = { canary, shadow: 0 };
  return isCandidates
    ? { apiKey, weight: observationWeight(shares, "candidate"), baseline: null, candidate: score }
    : { apiKey, weight: observationWeight(shares, "baseline"), baseline: score, candidate: null };
}

/**
 * In how many runs the candidate was rolled back, and after how many honest observations in the
 * middle one.
 */
function poisoned(poisoning: Poisoning): { readonly rolledBack: number; readonly median: number } {
  const { baseline, candidate, canary, attacker, keyShare, honest } = poisoning;
  const ends = Array.from({ length: runs }, (_, run) => {
    const draws = randomSource(3, `${baseline} ${candidate} ${canary}`, run);
    const seen = sequentialComparison({ alpha, tolerance: 0, keyShare });
    const left = { honest, attacker: attacker === null ? 0 : asksOfAttacker };
    while (left.honest > 0) {
      const isCandidates = draws.random() < canary;
      if (draws.random() < left.attacker / (left.attacker + left.honest)) {
        left.attacker -= 1;
        const score = isCandidates === (attacker === "candidate up") ? 1 : 0;
        seen.add(observed(poisoning, { apiKey: "attacker", isCandidates, score }));
      } else {
        left.honest -= 1;
        const score = draws.random() < (isCandidates ? candidate : baseline) ? 1 : 0;
        const apiKey = `honest ${left.honest % 4}`;
        seen.add(observed(poisoning, { apiKey, isCandidates, score }));
      }
      if (seen.findings.isShownWorse) return honest - left.honest;
    }
    return Infinity;
  }).toSorted((left, right) => left - right);
  return { rolledBack: ends.filter(Number.isFinite).length, median: ends[runs / 2] ?? Infinity };
}

const equal = { baseline: 0.8, candidate: 0.8, honest: 2_000 } as const;
const worse = { baseline: 0.8, candidate: 0.6, honest: 10_000 } as const;

/** Attacker, production, candidate, canary, key share, rolled back, honest users. */
const stated = [
  "| candidate down | 0.8 | 0.8 | 0.1 | 0.5 | 2 | |",
  "| candidate down | 0.8 | 0.8 | 0.1 | 1 | 200 | |",
  "| none | 0.8 | 0.6 | 0.1 | 0.5 | 200 | 936 |",
  "| candidate up | 0.8 | 0.6 | 0.1 | 0.5 | 200 | 1267 |",
  "| candidate down | 0.8 | 0.8 | 0.5 | 0.5 | 7 | |",
  "| candidate down | 0.8 | 0.8 | 0.5 | 1 | 200 | |",
  "| none | 0.8 | 0.6 | 0.5 | 0.5 | 200 | 365 |",
  "| candidate up | 0.8 | 0.6 | 0.5 | 0.5 | 200 | 535 |",
];

test("an API key that knows its versions and asks 10,000 times neither rolls a good candidate back nor keeps a bad one in: as the docs say", async () => {
  const docs = await readFile("docs/guide/serving.md", "utf8");
  const rows = [0.1, 0.5].flatMap((canary) => {
    const rowOf = (poisoning: Poisoning): string => {
      const { rolledBack, median } = poisoned(poisoning);
      const { baseline, candidate, attacker, keyShare } = poisoning;
      const isGood = baseline === candidate;
      const isKept = isGood && keyShare === 0.5;
      expect(rolledBack).toBeLessThanOrEqual(isKept ? alpha * runs : runs);
      expect(rolledBack).toBeGreaterThanOrEqual(isKept ? 0 : 0.95 * runs);
      const cells = [baseline, candidate, canary, keyShare, rolledBack, isGood ? "" : median];
      return `| ${attacker ?? "none"} | ${cells.join(" | ")} |`.replace("|  |", "| |");
    };
    return [
      rowOf({ ...equal, canary, attacker: "candidate down", keyShare: 0.5 }),
      rowOf({ ...equal, canary, attacker: "candidate down", keyShare: 1 }),
      rowOf({ ...worse, canary, attacker: null, keyShare: 0.5 }),
      rowOf({ ...worse, canary, attacker: "candidate up", keyShare: 0.5 }),
    ];
  });
  expect(rows).toEqual(stated);
  expect(docs).toContain(
    "got an equal candidate rolled back in at most 7 of 200 simulated rollouts; with a `keyShare` of 1, in all",
  );
});

/** An attacker that knows each version only afterwards, and chooses the next question by it. */
function adaptive(canary: number, scoreOf: (history: readonly boolean[]) => 0 | 1): number {
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    const draws: RandomSource = randomSource(4, `${canary}`, run);
    const seen = sequentialComparison({ alpha, tolerance: 0, keyShare: 1 });
    let history: boolean[] = [];
    for (let asks = 0; asks < 3_000 && !seen.findings.isShownWorse; asks += 1) {
      const score = scoreOf(history);
      const isCandidates = draws.random() < canary;
      seen.add(observed({ canary }, { apiKey: "only", isCandidates, score }));
      history = [...history, isCandidates].slice(-10);
    }
    if (seen.findings.isShownWorse) alarms += 1;
  }
  return alarms;
}

test("on a server with one API key, whoever chooses questions by the versions of the answers before rolls back at most 5 %", () => {
  // A block of answers that ends as soon as both versions are in it would be rolled back by each of
  // these.
  const goodUntilBaseline = (history: readonly boolean[]): 0 | 1 =>
    history.at(-1) === false ? 0 : 1;
  const goodUntilCandidate = (history: readonly boolean[]): 0 | 1 =>
    history.at(-1) === true ? 0 : 1;
  for (const canary of [0.1, 0.5]) {
    expect(adaptive(canary, goodUntilBaseline)).toBeLessThanOrEqual(alpha * runs);
    expect(adaptive(canary, goodUntilCandidate)).toBeLessThanOrEqual(alpha * runs);
  }
});

test("one API key alone decides nothing where several may ask, and what it decides counts from the second on", () => {
  const seen = sequentialComparison({ alpha, tolerance: 0, keyShare: 0.5 });
  const add = (apiKey: string): void => {
    seen.add({ apiKey, weight: 1, baseline: 1, candidate: 0 });
  };
  for (let asks = 0; asks < 500; asks += 1) add("one");
  expect(seen.findings).toMatchObject({
    apiKeys: 1,
    waiting: 500,
    worse: 1,
    isShownWorse: false,
    baseline: { keys: 0, meanScore: null },
  });
  for (let asks = 0; asks < 50; asks += 1) add("other");
  expect(seen.findings).toMatchObject({
    apiKeys: 2,
    waiting: 450,
    isShownWorse: true,
    baseline: { keys: 100, meanScore: 1 },
    candidate: { keys: 100, meanScore: 0 },
  });
});

test("the more a share allows, the more of one API key counts", () => {
  const keysOf = (keyShare: number): number => {
    const seen = sequentialComparison({ alpha, tolerance: 0, keyShare });
    for (let asks = 0; asks < 10; asks += 1) {
      seen.add({ apiKey: "other", weight: 1, baseline: 1, candidate: 1 });
    }
    for (let asks = 0; asks < 500; asks += 1) {
      seen.add({ apiKey: "one", weight: 1, baseline: 0, candidate: 0 });
    }
    return seen.findings.baseline.keys;
  };
  expect([0.5, 0.75, 0.8, 0.9, 1].map(keysOf)).toEqual([20, 40, 50, 100, 510]);
});
