import { expect, it } from "vitest";
import type { ScoreReuseDispute } from "../../../src/optimizer/contract/optimizer-event.ts";
import type { RandomSource } from "../../../src/internal/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { mismatchJudge } from "../../../src/optimizer/gepa/evidence/mismatch-judge.ts";

const exampleId = "v0";
const scores = { reused: 0.5, again: 1 };
const unrepeated = { exampleId, ...scores, repeated: [] };
const exact = { ...unrepeated, repeated: [scores, scores] };
const varied = { ...unrepeated, repeated: [{ reused: 1, again: 0.5 }] };

/** The dispute by which score reuse ends, counted from 1; `null` where it never does. */
function endOf(draw: (text: "reused" | "again") => number, disputes: number): number | null {
  const judge = mismatchJudge();
  for (let number = 1; number <= disputes;) {
    const [reused, again] = [draw("reused"), draw("again")];
    if (reused === again) continue;
    const repeated: Pick<ScoreReuseDispute, "reused" | "again">[] = [];
    const dispute = { exampleId, reused, again, repeated };
    while (judge.asksForMore(dispute)) {
      repeated.push({ reused: draw("reused"), again: draw("again") });
    }
    if (judge.isWrong(dispute)) return number;
    number++;
  }
  return null;
}

it("scores that both repeat twice are judged wrongly reused, until scores were seen to vary", () => {
  expect(mismatchJudge().isWrong(exact)).toBe(true);
  const judge = mismatchJudge();
  expect(judge.isWrong(varied)).toBe(false);
  expect(judge.isWrong(exact)).toBe(false);
});

it("asks for a repetition, and for another where the first leaves it open whether scores vary", () => {
  const judge = mismatchJudge();
  const once = { ...unrepeated, repeated: [scores] };
  expect([unrepeated, once, exact, varied].map((one) => judge.asksForMore(one))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  judge.isWrong(varied);
  expect([unrepeated, once].map((one) => judge.asksForMore(one))).toEqual([true, false]);
});

it("a dispute without repetition counts as wrong until scores were seen to vary", () => {
  expect(mismatchJudge().isWrong(unrepeated)).toBe(true);
  const judge = mismatchJudge();
  judge.isWrong(varied);
  expect(judge.isWrong(unrepeated)).toBe(false);
});

it("is suspicious while bets that something is wrong have gained", () => {
  const judge = mismatchJudge();
  expect(judge.isSuspicious).toBe(false);
  judge.isWrong({ ...unrepeated, repeated: [{ reused: 0.4, again: 0.9 }] });
  expect(judge.isSuspicious).toBe(true);
  judge.isWrong(varied);
  expect(judge.isSuspicious).toBe(false);
});

it("an example that the metric does not apply to comes below every score", () => {
  const judge = mismatchJudge();
  judge.isWrong(varied);
  const gone = {
    exampleId,
    reused: -3,
    again: null,
    repeated: [{ reused: -2, again: null }],
  };
  const verdicts = Array.from({ length: 12 }, () => judge.isWrong(gone));
  expect(verdicts.at(0)).toBe(false);
  expect(verdicts.at(-1)).toBe(true);
});

it.each([0.5, 0.7, 0.9])(
  "of runs whose scores are 1 with %s, else 0, few end score reuse at the first dispute",
  (chance) => {
    const runs = 400;
    const ended = Array.from({ length: runs }, (_, seed) => {
      const random = randomSource(seed, "0 or 1");
      return endOf(() => (random.random() < chance ? 1 : 0), 1);
    }).filter((end) => end !== null);
    // Of two candidates with the same chance, twice in a row: 1/16 at most, and three standard
    // errors.
    expect(ended.length / runs).toBeLessThanOrEqual(1 / 16 + 3 * Math.sqrt(1 / 16 / runs));
  },
);

it.each([
  ["all different", (random: RandomSource) => random.random()],
  ["0 or 1", (random: RandomSource) => random.below(2)],
  ["mostly 1", (random: RandomSource) => Math.min(1, random.below(10))],
  ["of five values", (random: RandomSource) => random.below(5) / 4],
])(
  "of runs whose scores only vary, %s, at most one in twenty ends score reuse after the first dispute",
  (_, draw) => {
    const runs = 400;
    const ended = Array.from({ length: runs }, (_, seed) => {
      const random = randomSource(seed, "varying");
      return endOf(() => draw(random), 300);
    }).filter((end) => end !== null && end > 1);
    expect(ended.length).toBeLessThanOrEqual(runs / 20);
  },
);

it("scores that vary and are of another mean besides end it, the sooner the greater the difference", () => {
  const medianEnd = (difference: number): number => {
    const ends = Array.from({ length: 101 }, (_, seed) => {
      const random = randomSource(seed, "varying and different");
      return endOf((text) => random.random() + (text === "again" ? difference : 0), 1000) ?? NaN;
    });
    return ends.toSorted((one, other) => one - other)[50] ?? NaN;
  };
  expect(medianEnd(2)).toBe(4);
  expect(medianEnd(0.9)).toBeLessThanOrEqual(5);
  expect(medianEnd(0.6)).toBeLessThanOrEqual(12);
  expect(medianEnd(0.3)).toBeLessThanOrEqual(150);
});
