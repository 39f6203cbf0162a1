import { EspalierError } from "../errors/index.ts";

/**
 * Evaluations on all of val that each named budget pays for. A look at whether anything moves, a run of
 * an hour, and one to keep: a search that inherits scores makes some five proposals of one evaluation.
 */
const evaluationsOf: ReadonlyMap<string, number> = new Map([
  ["small", 3],
  ["medium", 10],
  ["large", 30],
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
