import type { Stopper } from "espalier/optimizer";

/**
 * Ends the run once this many metric calls are spent: checked only between two iterations, so it
 * may be exceeded by the cost of one.
 */
export function metricCallsReached(limit: number): Stopper {
  return {
    name: "metric-calls",
    settings: { limit },
    endsByItself: true,
    stop: ({ spent }) => (spent.metricCalls >= limit ? `${spent.metricCalls} of ${limit}` : null),
  };
}
