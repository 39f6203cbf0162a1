import { experiment } from "espalier";
import shipped from "../../../../optimizers/experiments/ails-ntua-task-c.ts";

const kept = new Set(["ails-ntua", "without-gate", "single-judge", "one-passage"]);

/** The shipped table without its sweep of thresholds, which asks the same again and again. */
export default experiment({
  ...shipped,
  rows: shipped.rows.filter(({ name }) => kept.has(name)),
});
