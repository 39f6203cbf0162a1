import { EspalierError } from "../errors/index.ts";

/**
 * Refuses an option that is not a whole number within its range.
 *
 * @param owner the function that has the option, for the message: `gepa()`
 * @throws EspalierError `option-invalid`
 */
export function checkCount(option: string, value: number, least = 1, owner?: string): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw optionOutside(option, value, `a whole number of at least ${least}`, owner);
}

/**
 * Refuses a duration that a timer cannot take: longer ones would end at once.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkMilliseconds(
  option: string,
  value: number,
  { least = 0 }: { readonly least?: number } = {},
): void {
  if (value >= least && value <= longestTimerMs) return;
  throw optionOutside(option, value, `milliseconds, from ${least} to ${longestTimerMs}`);
}

/**
 * Refuses an option below its range, and one that is not finite.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkAtLeast(option: string, value: number, least: number, owner?: string): void {
  if (Number.isFinite(value) && value >= least) return;
  const expected = least === -Infinity ? "a finite number" : `a finite number of at least ${least}`;
  throw optionOutside(option, value, expected, owner);
}

/**
 * Refuses an option that is not a number in [0, 1].
 *
 * @throws EspalierError `option-invalid`
 */
export function checkShare(option: string, value: number, owner?: string): void {
  if (value >= 0 && value <= 1) return;
  throw optionOutside(option, value, "a number from 0 to 1", owner);
}

/** Some 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Creates the `option-invalid` error for an option outside its range. */
export function optionOutside(
  option: string,
  value: unknown,
  expected: string,
  owner?: string,
): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `Option \`${option}\`${owner === undefined ? "" : ` of ${owner}`} is outside its range`,
    expected: `\`${option}\`, ${expected}`,
    got: typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value)),
  });
}

/** The sum of two counts, `null` if either is unknown. */
export function sumKnown(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}
