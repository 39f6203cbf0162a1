import type { TextScore, TextTask } from "espalier/optimizer";
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

/** The yardstick's tasks and harder ones, in one form; the peer reads it as JSON. */
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
    Array.from({ length: count }, (_, place) => ({
      id: `${split}${place}`,
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

/** True mean over examples: the figure, with or without noise. */
export function coupledMean(
  task: CoupledTask,
  split: "val" | "test",
  texts: Readonly<Record<string, string>>,
): number {
  const scores = task[split].map((example) => coupledScore(task, example, texts));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
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

/** What an engine sees of a score: the score itself, or a noisy one. */
export function seenScores(task: CoupledTask, seed: number): (score: number) => number {
  let rollouts = 0;
  return (score) => {
    if (task.noise === 0) return score;
    const random = randomSource(seed, `noise/${task.name}/${task.seed}`, rollouts++);
    // Box and Muller 1958.
    const radius = Math.sqrt(-2 * Math.log(1 - random.random()));
    const normal = radius * Math.cos(2 * Math.PI * random.random());
    return Math.min(1, Math.max(0, score + task.noise * normal));
  };
}

/** As a text task. Validation examples score, and give no feedback at all. */
export function coupledTextTask(task: CoupledTask, seed: number): TextTask<CoupledExample> {
  const seen = seenScores(task, seed);
  const byId = (examples: readonly CoupledExample[]): Record<string, CoupledExample> =>
    Object.fromEntries(examples.map((example) => [example.id, example]));
  const train = byId(task.train);
  return {
    name: `${task.name}-${task.seed}`,
    version: "1",
    texts: task.texts,
    train,
    val: byId(task.val),
    evaluate: (texts, example): TextScore => {
      const score = seen(coupledScore(task, example, texts));
      const ran = Object.keys(example.needs);
      const feedback = train[example.id] === undefined ? {} : directives(example, texts);
      if (Object.keys(feedback).length === 0) return { score, ran };
      const outputs = { score: score.toFixed(3) };
      return { score, ran, feedback, inputs: { id: example.id }, outputs };
    },
  };
}

function wordsOf(text = ""): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
