import { fnv1a32 } from "../../../support/yardstick/mock-reflection.ts";

export type Texts = Readonly<Record<string, string>>;

/**
 * A task whose true scores are known: texts, examples, and a mock for the reflection LM. Every
 * engine searches the same one, in this process or over a pipe.
 */
export interface Environment {
  readonly name: string;
  readonly task: number;
  /** What a search starts from, by component. */
  readonly texts: Texts;
  readonly train: readonly string[];
  readonly val: readonly string[];
  readonly test: readonly string[];
  /** Expected score of texts on an example, in [0, 1]. */
  readonly trueScore: (texts: Texts, exampleId: string) => number;
  /** What rollout number `rollout` of run `run` shows of the expected score. */
  readonly rolloutScore: (texts: Texts, exampleId: string, run: number, rollout: number) => number;
  /** Components that an example runs. */
  readonly ran: (exampleId: string) => readonly string[];
  /**
   * Noise that gepa's own process adds to true scores, drawn as in the recorded figures by Python's
   * generator of that key; absent: it gets `rolloutScore` like every engine.
   */
  readonly pythonNoise?: (run: number) => { readonly key: string; readonly deviation: number };
  /** Feedback by component on a rollout that scored `score`; none outside train. */
  readonly feedback: (texts: Texts, exampleId: string, score: number) => Texts;
  /** The mock's text, given what was said about the present one; `call` numbers its calls. */
  readonly rewrite: (request: {
    readonly component: string;
    readonly text: string;
    readonly feedback: readonly string[];
    readonly run: number;
    readonly call: number;
  }) => string;
}

/** How many of the lessons that it is shown the mock acts on. */
export const actsOnCounts = { one: 1, three: 3, all: Infinity } as const;
export type ActsOn = keyof typeof actsOnCounts;

/** Numbers of examples in train, val and test. */
export type SplitSizes = readonly [train: number, val: number, test: number];

/** Uniform numbers in [0, 1). */
export type Draws = () => number;

/** The draws of a key: the generator that the yardstick's tasks are made with (mulberry32). */
export function drawsOf(key: string): Draws {
  let state = fnv1a32(key);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // Similar keys begin with similar numbers.
  next();
  return next;
}

export function below(draws: Draws, end: number): number {
  return Math.floor(draws() * end);
}

/** Standard normal (Box and Muller 1958). */
export function normal(draws: Draws): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws()));
  return radius * Math.cos(2 * Math.PI * draws());
}

/** True mean over a split: the figure that a search is judged by. */
export function trueMean(environment: Environment, split: "val" | "test", texts: Texts): number {
  const ids = environment[split];
  return ids.reduce((sum, id) => sum + environment.trueScore(texts, id), 0) / ids.length;
}
