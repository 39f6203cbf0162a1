import { EspalierError } from "../../../errors/index.ts";

/** Throws `option-invalid` unless `value` is a number in [0, 1]. */
export function checkShare(name: string, value: number): void {
  if (value >= 0 && value <= 1) return;
  throw outside(name, value, "a number from 0 to 1");
}

/** Throws `option-invalid` unless `value` is a whole number of at least `least`. */
export function checkCount(name: string, value: number, least = 1): void {
  if (Number.isInteger(value) && value >= least) return;
  throw outside(name, value, `a whole number of at least ${least}`);
}

/** Throws `option-invalid` unless `value` is a number above `floor`. */
export function checkAbove(name: string, value: number, floor: number): void {
  if (value > floor) return;
  throw outside(name, value, `a number above ${floor}`);
}

/** Throws `option-invalid` unless `value` is a finite number above 0. */
export function checkAmount(name: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw outside(name, value, "a finite number above 0");
}

/** Throws `option-invalid` unless `value` is a finite number of at least `least`. */
export function checkAtLeast(name: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  const expected = least === -Infinity ? "a finite number" : `a finite number of at least ${least}`;
  throw outside(name, value, expected);
}

/** Throws `option-invalid` unless `value` is one of `words`. */
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
