import type { ComparisonIndex } from "./comparison-index.ts";
import type { Route } from "./route.ts";

/** What every view is given. */
export interface ViewProps {
  readonly index: ComparisonIndex;
  readonly route: Route;
}
