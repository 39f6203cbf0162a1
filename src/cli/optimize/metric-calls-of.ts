import { EspalierError } from "../../errors/index.ts";

/**
 * Evaluations on all of val that each named budget pays for: to see whether anything moves at all, to
 * compare studies, and to keep what comes out.
 */
const evaluationsOf: ReadonlyMap<string, number> = new Map([
  ["small", 5],
  ["medium", 15],
  ["large", 40],
]);

/** Of `--budget`: a number of metric calls, or a size by which it follows from val's. */
export function metricCallsOf(given: string, valSize: number): number {
  const evaluations = evaluationsOf.get(given);
  if (evaluations !== undefined) return evaluations * valSize;
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--budget cannot take this value",
    expected: `a whole number of at least 1, or one of ${[...evaluationsOf.keys()].join(", ")}`,
    got: `"${given}"`,
  });
}
