import type { Demonstration, NearestDemonstrations } from "../../contract/index.ts";

/** The texts of a predictor that a candidate may replace. */
export interface PredictorTexts {
  readonly instruction: string;
  readonly demos: readonly Demonstration[];
  /** Chooses among `demos` at each call; `null`: all are shown. */
  readonly nearest: NearestDemonstrations | null;
  /** Descriptions by field name, where they differ from the signature's. */
  readonly fieldDescriptions: Readonly<Record<string, string>>;
  /**
   * Of an agent's tools, and of their arguments (`search.query`), where they differ from the tools'
   * own.
   */
  readonly toolDescriptions: Readonly<Record<string, string>>;
}
