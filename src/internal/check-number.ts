import { EspalierError } from "../errors/index.ts";

/**
 * Refuses an option that is not a whole number within its range.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkCount(option: string, value: number, least = 1): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  refuse(option, `a whole number of at least ${least}`, value);
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
  refuse(option, `milliseconds, from ${least} to ${longestTimerMs}`, value);
}

/**
 * Refuses an option below its range, and one that is not finite.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkAtLeast(option: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  refuse(option, `a number of at least ${least}`, value);
}

/** Some 24 days. */
const longestTimerMs = 2 ** 31 - 1;

function refuse(option: string, expected: string, value: unknown): never {
  throw new EspalierError({
    code: "option-invalid",
    problem: `Option \`${option}\` is outside its range`,
    expected: `\`${option}\`, ${expected}`,
    got: typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value)),
  });
}
