import { randomSource } from "espalier";
import type { YardstickExample, YardstickTask } from "./yardstick-task.ts";

/** Words that one text must and must not hold for an example. */
export type Needs = {
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
};

/** An example, and what it needs of each text that has a part in it. */
export type CoupledExample = {
  readonly id: string;
  readonly needs: Readonly<Record<string, Needs>>;
};

/** The yardstick's tasks and harder ones, in one form. */
export interface CoupledTask {
  readonly name: string;
  readonly seed: number;
  /**
   * - `share`: of the required keywords of all texts, less half the share of forbidden ones.
   * - `product`: of the shares of each text.
   */
  readonly scoring: "share" | "product";
  readonly texts: Readonly<Record<string, string>>;
  readonly train: readonly CoupledExample[];
  readonly val: readonly CoupledExample[];
  readonly test: readonly CoupledExample[];
  /** Standard deviation of what is added to each score that an engine sees, clipped to [0, 1]. */
  readonly noise: number;
}

/** A task of the yardstick: every example is about one text. */
export function fromYardstick(
  { variant, seed, train, val, test }: YardstickTask,
  texts: Readonly<Record<string, string>>,
): CoupledTask {
  const example = ({ id, component, required, forbidden }: YardstickExample): CoupledExample => ({
    id,
    needs: { [component]: { required, forbidden } },
  });
  return {
    name: variant,
    seed,
    scoring: "share",
    texts,
    train: train.map(example),
    val: val.map(example),
    test: test.map(example),
    noise: 0,
  };
}

/** Both texts have a part in every example, which needs one or two of eight keywords in each. */
export function interactionTask(
  seed: number,
  scoring: "share" | "product",
  texts: Readonly<Record<string, string>>,
): CoupledTask {
  const random = randomSource(seed, "interaction");
  const letters: Readonly<Record<string, string>> = { rewrite_query: "q", write_answer: "a" };
  const examples = (split: string, count: number): readonly CoupledExample[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `${split}${index}`,
      needs: Object.fromEntries(
        Object.keys(texts).map((text) => {
          const pool = Array.from({ length: 8 }, (_, number) => `kw_${letters[text]}0${number}`);
          return [text, { required: random.sample(pool, 1 + random.below(2)), forbidden: [] }];
        }),
      ),
    }));
  return {
    name: scoring === "share" ? "interaction-add" : "interaction-mul",
    seed,
    scoring,
    texts,
    train: examples("tr", 30),
    val: examples("va", 20),
    test: examples("te", 40),
    noise: 0,
  };
}

/** True score of texts on an example, in [0, 1]. */
export function coupledScore(
  { scoring }: CoupledTask,
  { needs }: CoupledExample,
  texts: Readonly<Record<string, string>>,
): number {
  const found = Object.entries(needs).map(([text, { required, forbidden }]) => {
    const words = wordsOf(texts[text]);
    const held = (keywords: readonly string[]): number =>
      keywords.filter((keyword) => words.has(keyword)).length;
    return {
      held: held(required),
      required: required.length,
      unwanted: held(forbidden),
      forbidden: forbidden.length,
    };
  });
  if (scoring === "product") {
    return found.reduce((product, { held, required }) => product * (held / required), 1);
  }
  const sum = (field: keyof (typeof found)[number]): number =>
    found.reduce((total, one) => total + one[field], 0);
  const penalty = sum("forbidden") === 0 ? 0 : sum("unwanted") / sum("forbidden");
  return Math.max(0, sum("held") / sum("required") - 0.5 * penalty);
}

/**
 * For each text that an example finds wanting: its first missing keyword, or the first forbidden
 * one.
 */
export function directives(
  { needs }: CoupledExample,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(needs).flatMap(([text, { required, forbidden }]) => {
      const words = wordsOf(texts[text]);
      const missing = required.find((keyword) => !words.has(keyword));
      if (missing !== undefined) return [[text, `ADD ${missing}`]];
      const unwanted = forbidden.find((keyword) => words.has(keyword));
      return unwanted === undefined ? [] : [[text, `REMOVE ${unwanted}`]];
    }),
  );
}

function wordsOf(text = ""): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
