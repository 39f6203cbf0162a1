import { expect, test } from "vitest";
import { pooledMartingale } from "../../../src/serve/comparison/pooled-martingale.ts";

function pooled(isBounded: boolean, excesses: Readonly<Record<string, readonly number[]>>): number {
  const pool = pooledMartingale({ tolerance: 0, isBounded });
  for (const [apiKey, values] of Object.entries(excesses)) {
    for (const value of values) pool.add(apiKey, value);
  }
  return pool.amount;
}

test("a tenth of an account is never staked, and accounts multiply bet by bet", () => {
  expect(pooled(false, {})).toBe(1);
  // 1.2953125 is what the bets make of one won.
  expect(pooled(false, { one: [1] })).toBeCloseTo(0.1 + 0.9 * 1.2953125, 12);
  const shares = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028125];
  const product = shares.reduce(
    (sum, bet) => sum + (0.1 + 0.9 * (1 + bet)) * (0.1 + 0.9 * (1 + bet) * (1 - bet / 2)),
    0,
  );
  expect(pooled(false, { one: [1], other: [1, -0.5] })).toBeCloseTo(product / shares.length, 12);
});

test("bounded, the amount is that without the key that won most, however much that was", () => {
  const honest = { one: [1, 0.5, 1], other: [0.5, -0.5, 0.5] };
  const without = pooled(false, honest);
  const won = Array.from({ length: 10_000 }, () => 1);
  expect(pooled(true, { ...honest, attacker: won })).toBeCloseTo(without, 9);
  expect(pooled(true, { attacker: won })).toBeCloseTo(1, 9);
  expect(pooled(true, {})).toBe(1);
});

test("a key that loses everything takes a factor of ten from the others, and no more", () => {
  const honest = { one: [1, 1, 1, 1], other: [1, 1, 1, 1] };
  const lost = Array.from({ length: 10_000 }, () => -1);
  const least = pooled(true, { ...honest, attacker: lost });
  expect(least).toBeCloseTo(pooled(false, { one: honest.one }) / 10, 9);
});

test("under a mean of 0 the product is 1 on average over all that can come, whoever it comes from", () => {
  const outcomes = [
    { excess: 1, probability: 0.25 },
    { excess: 0, probability: 0.25 },
    { excess: -0.5, probability: 0.5 },
  ];
  const sequences = (length: number): readonly (typeof outcomes)[] =>
    length === 0
      ? [[]]
      : sequences(length - 1).flatMap((head) => outcomes.map((last) => [...head, last]));
  const average = sequences(6).reduce((sum, sequence) => {
    const pool = pooledMartingale({ tolerance: 0, isBounded: false });
    let probability = 1;
    for (const [index, outcome] of sequence.entries()) {
      probability *= outcome.probability;
      pool.add(`key ${index % 3}`, outcome.excess);
    }
    return sum + probability * pool.amount;
  }, 0);
  expect(average).toBeCloseTo(1, 12);
});
