import type { JSX } from "preact";
import type { FallenMetric } from "../../../../../src/report/index.ts";
import { figure } from "../data/figure.ts";

/** The further metrics that became worse on test. */
export function Fallen({ fell }: { readonly fell: readonly FallenMetric[] }): JSX.Element | null {
  if (fell.length === 0) return null;
  const each = fell.map(
    ({ metric, value, difference }) => `${metric} ${figure(value - difference)} → ${figure(value)}`,
  );
  return <span class="under warning">lower on test: {each.join(", ")}</span>;
}
