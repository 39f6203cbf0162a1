import type { Example, Metric } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Comparison, Evaluation } from "../evaluate/index.ts";
import { compare } from "../evaluate/index.ts";

/** How a row differs from another, on the examples that both scored; or why that is unknown. */
export type PairedDifference =
  | Pick<Comparison, "difference" | "interval" | "pValue" | "verdict" | "examples" | "clusters">
  | { readonly incomparable: string };

/** Other minus baseline; two rows with different metrics or data have no difference. */
export function pairedDifference(
  baseline: Evaluation,
  other: Evaluation,
  {
    aggregate,
    resamples,
  }: {
    /** Absent: the mean. */
    readonly aggregate:
      | { readonly metric: Metric; readonly examples: readonly Example[] }
      | undefined;
    readonly resamples: number;
  },
): PairedDifference {
  try {
    const compared = compare(baseline, other, {
      resamples,
      ...(aggregate && { aggregate }),
    });
    const { difference, interval, pValue, clusters } = compared;
    const isClaimable = baseline.isAcceptable && other.isAcceptable;
    const verdict = isClaimable ? compared.verdict : "undecided";
    return { difference, interval, pValue, verdict, examples: compared.examples, clusters };
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== "comparison-invalid") throw error;
    return { incomparable: error.report.problem };
  }
}
