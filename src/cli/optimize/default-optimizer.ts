import type { Optimizer } from "../../optimizer/index.ts";
import { gepa, grow } from "../../optimizer/index.ts";
import { recordedOptimizer } from "../../optimizer/files.ts";

/**
 * What runs where a study names no optimizer. A run that began when that was `gepa()` resumes with
 * it.
 *
 * @param runFolder of the run to resume, if one is
 */
export function defaultOptimizer(runFolder: string | undefined): Optimizer {
  const before = runFolder === undefined ? undefined : recordedOptimizer(runFolder);
  return before === gepa().name ? gepa() : grow();
}
