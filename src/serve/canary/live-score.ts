import { messageOf } from "../../errors/index.ts";
import type { LiveAnswer, LiveMetric } from "../model/live-metric.ts";
import { failureCauses } from "./failure-causes.ts";

/**
 * The mean of the metrics and of `answered`, which is 1; 0 if the version failed to answer or was
 * too slow; `null` if the run says nothing about the version: something else was at fault
 * (`failureCauses`), it asks for tools of the client, or a metric does not work.
 */
export function liveScore(
  { outcome, ...asked }: LiveAnswer,
  {
    metrics,
    hasExpired,
    onFault,
  }: {
    readonly metrics: Readonly<Record<string, LiveMetric>>;
    /** Whether the deadline passed: a late answer counts as none. */
    readonly hasExpired: boolean;
    readonly onFault: (metric: string, problem: string) => void;
  },
): number | null {
  const { failure } = outcome;
  if (failure !== undefined) {
    if (hasExpired) return 0;
    return failureCauses[failure.code] === "version" ? 0 : null;
  }
  // The asker counts once its tools have led to an answer, by the same version.
  if (outcome.clientCalls !== undefined) return null;
  let total = 1;
  const entries = Object.entries(metrics);
  for (const [name, metric] of entries) {
    try {
      const score = metric({ ...asked, outcome });
      if (!(score >= 0 && score <= 1)) {
        onFault(name, `It returned ${String(score)} instead of a score in [0, 1].`);
        return null;
      }
      total += score;
    } catch (error) {
      onFault(name, messageOf(error));
      return null;
    }
  }
  return total / (entries.length + 1);
}
