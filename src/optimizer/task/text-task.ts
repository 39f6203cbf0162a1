import type { Json, JsonObject, SplitName } from "../../contract/index.ts";

/** What a text task's `evaluate` says of one run. */
export interface TextScore {
  /** Higher is better. */
  readonly score: number;
  /**
   * What could be better: of the whole, or by text name. Without it the run teaches nothing, and no
   * text is changed for it.
   */
  readonly feedback?: string | Readonly<Record<string, string>>;
  /**
   * Names of the texts that had a part in it; scores are inherited where the others alone changed.
   * @default all
   */
  readonly ran?: readonly string[];
  /** What whoever rewrites a text is shown beside the feedback. @default the example */
  readonly inputs?: JsonObject;
  /** @default none */
  readonly outputs?: JsonObject;
  /** Further objectives by name, higher is better. */
  readonly objectives?: Readonly<Record<string, number>>;
}

/** Anything that is made of texts and can be judged: what is optimized when it is no program. */
export interface TextTask<TExample extends Json = Json> {
  readonly name: string;
  /** Changes whenever `evaluate` does. */
  readonly version: string;
  /** Texts to start from, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** What each text is for, as told to whoever rewrites it. @default nothing */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** By id. */
  readonly train: Readonly<Record<string, TExample>>;
  /** By id; the very same object as `train` when one split does both. */
  readonly val: Readonly<Record<string, TExample>>;
  /** How scores on examples of one split, at least one, become one value. @default their mean */
  readonly aggregate?: (
    split: SplitName,
    scored: readonly ({ readonly exampleId: string; readonly value: number } & Pick<
      TextScore,
      "objectives"
    >)[],
  ) => number;
  evaluate(
    texts: Readonly<Record<string, string>>,
    example: TExample,
    given: {
      readonly exampleId: string;
      /** 0, or the number of the run where each example is run several times. */
      readonly repetition: number;
      readonly signal: AbortSignal;
    },
  ): TextScore | Promise<TextScore>;
}
