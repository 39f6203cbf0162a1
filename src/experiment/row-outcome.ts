import type { Example, LmIdentity } from "../contract/index.ts";
import type { Evaluation } from "../evaluate/index.ts";
import type { Mock } from "../mock/index.ts";
import type { Study } from "../study/index.ts";
import type { RowCosts } from "./row-costs.ts";

/** What is known of a row: its parts, and its result if it ran. */
export interface RowOutcome {
  readonly name: string;
  readonly study: Pick<Study, "name" | "program" | "objective" | "trainset">;
  /** Those that were to be evaluated, in their order. */
  readonly examples: readonly Example[];
  /** The LM that answers, the judge's if another, and those of single predictors. */
  readonly lms: Readonly<Record<string, LmIdentity>>;
  /** Every part that a mock played. */
  readonly mocks: readonly Mock[];
  /** How the optimization went, in a sentence. */
  readonly optimized?: string;
  readonly costs: RowCosts;
  /** The result, or which cap kept the row from one. */
  readonly result: Evaluation | { readonly notRun: string };
}
