import type { Json, JsonObject, SplitName } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";

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

/**
 * All of a text task that a run's trajectory depends on; texts and examples also by their order.
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

/** By entries, since the hash of an object does not depend on the order of its names. */
function inOrder(byName: Readonly<Record<string, Json>>): string {
  return contentHash(Object.entries(byName));
}
