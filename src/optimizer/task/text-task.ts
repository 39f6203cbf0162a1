import type { Json, JsonObject, SplitName } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";

/** The result of a text task's `evaluate` for one run. */
export interface TextScore {
  /** Higher is better. */
  readonly score: number;
  /**
   * What could be better: about the whole, or by text name. Without it, the run teaches nothing and
   * changes no text.
   */
  readonly feedback?: string | Readonly<Record<string, string>>;
  /**
   * Names of the texts that affected the result; scores are reused if only other texts change.
   * @default all
   */
  readonly ran?: readonly string[];
  /** What the writer of a text sees besides the feedback. @default the example */
  readonly inputs?: JsonObject;
  /** @default none */
  readonly outputs?: JsonObject;
  /** Further objectives by name, higher is better. */
  readonly objectives?: Readonly<Record<string, number>>;
}

/** Anything that consists of texts and can be judged: what to optimize when there is no program. */
export interface TextTask<TExample extends Json = Json> {
  readonly name: string;
  /** Must change whenever `evaluate` does. */
  readonly version: string;
  /** Initial texts, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** What each text is for, as shown to its writer. @default nothing */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** By id. */
  readonly train: Readonly<Record<string, TExample>>;
  /** By id; the same object as `train` when one split does both. */
  readonly val: Readonly<Record<string, TExample>>;
  /**
   * Combines the scores on examples of one split, at least one, into one value. @default their mean
   */
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
      /** 0, or the number of the run if each example is run several times. */
      readonly repetition: number;
      readonly signal: AbortSignal;
    },
  ): TextScore | Promise<TextScore>;
}

/**
 * Everything in a text task that a run's trajectory depends on, including the order of texts and
 * examples.
 */
export function describeTextTask<TExample extends Json>({
  name,
  version,
  texts,
  descriptions,
  train,
  val,
}: TextTask<TExample>): JsonObject {
  return {
    name,
    version,
    texts: inOrder(texts),
    ...(descriptions && { descriptions: contentHash(descriptions) }),
    train: inOrder(train),
    val: (val as object) === train ? "train" : inOrder(val),
  };
}

/** As entries, since the hash of an object ignores the order of its names. */
function inOrder(byName: Readonly<Record<string, Json>>): string {
  return contentHash(Object.entries(byName));
}
