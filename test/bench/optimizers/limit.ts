import type { Interval } from "espalier/evaluate";

/** `unchecked`: nothing was measured for it. */
export type Outcome = "kept" | "unchecked" | { readonly missed: string };
/** What is asked for, in words, and whether it is so. */
export type Limit = readonly [limit: string, outcome: Outcome];

/** Half of an interval of 95 %, in standard errors. */
const halfWidth = 1.96;

/** Of the mean that an interval of 95 % is of. */
export function standardError({ low, high }: Interval): number {
  return (high - low) / (2 * halfWidth);
}

export function judged(
  measured: number | undefined,
  isKept: (measured: number) => boolean,
): Outcome {
  if (measured === undefined) return "unchecked";
  return isKept(measured) ? "kept" : { missed: measured.toFixed(4) };
}
