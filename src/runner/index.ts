/**
 * One run of a program on one example, judged: what evaluations are made of. A `Runner` does it in
 * this process or elsewhere. Knows nothing of other examples, of candidates, or of what a result is
 * used for.
 */
export { abortedBy, effectiveFailure, inProcess, runExample } from "./in-process.ts";
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
export { uncapped } from "./runner.ts";
