/**
 * One run of a program on one example, judged: what evaluations are made of. A `Runner` does it in
 * this process or elsewhere. Knows nothing of other examples, of candidates, or of what a result is
 * used for.
 */
export { effectiveFailure } from "./effective-failure.ts";
export { inProcess } from "./in-process.ts";
export { abortedBy, runExample } from "./run-example.ts";
export type {
  Allowance,
  Reservation,
  RunExampleOptions,
  Runner,
  RunOutcome,
  RunRecord,
  Spending,
  TimedAttempt,
  TokenPrices,
} from "./runner.ts";
export { uncapped } from "./uncapped.ts";
