import { expect, it } from "vitest";
import type { RandomSource } from "../../../src/internal/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { disputeJudge } from "../../../src/optimizer/gepa/memory/dispute-judge.ts";

const exampleId = "v0";
const exact = { exampleId, inherited: 0.5, again: 1, repeated: { inherited: 0.5, again: 1 } };
const varied = { ...exact, repeated: { inherited: 1, again: 0.5 } };

/** The dispute by which inheritance ends, counted from 1; `null` where it never does. */
function endOf(draw: (text: "inherited" | "again") => number, disputes: number): number | null {
  const isWrong = disputeJudge();
  for (let number = 1; number <= disputes;) {
    const [inherited, again] = [draw("inherited"), draw("again")];
    if (inherited === again) continue;
    const repeated = { inherited: draw("inherited"), again: draw("again") };
    if (isWrong({ exampleId, inherited, again, repeated })) return number;
    number++;
  }
  return null;
}

it("scores that both repeat are judged wrongly inherited at once, until scores were seen to vary", () => {
  expect(disputeJudge()(exact)).toBe(true);
  const isWrong = disputeJudge();
  expect(isWrong(varied)).toBe(false);
  expect(isWrong(exact)).toBe(false);
});

it("a dispute without repetition counts as wrong until scores were seen to vary", () => {
  const { repeated: _, ...unrepeated } = exact;
  expect(disputeJudge()(unrepeated)).toBe(true);
  const isWrong = disputeJudge();
  isWrong(varied);
  expect(isWrong(unrepeated)).toBe(false);
});

it("an example that the metric does not apply to comes below every score", () => {
  const isWrong = disputeJudge();
  isWrong(varied);
  const gone = { exampleId, inherited: -3, again: null, repeated: { inherited: -2, again: null } };
  const verdicts = Array.from({ length: 12 }, () => isWrong(gone));
  expect(verdicts.at(0)).toBe(false);
  expect(verdicts.at(-1)).toBe(true);
});

it.each([
  ["all different", (random: RandomSource) => random.random()],
  ["0 or 1", (random: RandomSource) => random.below(2)],
  ["mostly 1", (random: RandomSource) => Math.min(1, random.below(10))],
  ["of five values", (random: RandomSource) => random.below(5) / 4],
])(
  "of runs whose scores only vary, %s, at most one in twenty ends inheritance after the first dispute",
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
