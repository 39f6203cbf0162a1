import { EspalierError } from "../../../errors/index.ts";

/** Refuses what is no number in [0, 1] with `option-invalid`. */
export function checkShare(name: string, value: number): void {
  if (value >= 0 && value <= 1) return;
  throw outside(name, value, "a number from 0 to 1");
}

/** Refuses what is no whole number of at least `least` with `option-invalid`. */
export function checkCount(name: string, value: number, least = 1): void {
  if (Number.isInteger(value) && value >= least) return;
  throw outside(name, value, `a whole number of at least ${least}`);
}

/** Refuses what is no number above `floor` with `option-invalid`. */
export function checkAbove(name: string, value: number, floor: number): void {
  if (value > floor) return;
  throw outside(name, value, `a number above ${floor}`);
}

/** Refuses what is no finite number above 0 with `option-invalid`. */
export function checkAmount(name: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw outside(name, value, "a finite number above 0");
}

/** Refuses what is no finite number of at least `least` with `option-invalid`. */
export function checkAtLeast(name: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  const expected = least === -Infinity ? "a finite number" : `a finite number of at least ${least}`;
  throw outside(name, value, expected);
}

/** Refuses what is none of some words with `option-invalid`. */
export function checkOneOf(name: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw outside(name, value, words.join(", "));
}

function outside(name: string, value: number | string, expected: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `Option \`${name}\` of gepa() is outside its range`,
    expected,
    got: String(value),
  });
}
