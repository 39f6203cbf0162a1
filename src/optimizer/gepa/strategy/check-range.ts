import * as internal from "../../../internal/index.ts";

/*
 * Each throws `option-invalid` for an option of gepa() that is outside its range.
 */
const owner = "gepa()";

/** Accepts a number in [0, 1]. */
export function checkShare(option: string, value: number): void {
  internal.checkShare(option, value, owner);
}

/** Accepts a whole number of at least `least`, by default 1. */
export function checkCount(option: string, value: number, least?: number): void {
  internal.checkCount(option, value, least, owner);
}

/** Accepts a number above `floor`. */
export function checkAbove(option: string, value: number, floor: number): void {
  if (value > floor) return;
  throw internal.optionOutside(option, value, `a number above ${floor}`, owner);
}

/** Accepts a finite number above 0. */
export function checkAmount(option: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw internal.optionOutside(option, value, "a finite number above 0", owner);
}

/** Accepts a finite number of at least `least`. */
export function checkAtLeast(option: string, value: number, least: number): void {
  internal.checkAtLeast(option, value, least, owner);
}

/** Accepts one of `words`. */
export function checkOneOf(option: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw internal.optionOutside(option, value, words.join(", "), owner);
}
