import type { Draws, Environment, SplitSizes } from "./environment.ts";
import { below, drawsOf, normal } from "./environment.ts";

export interface KeywordShape {
  readonly name: string;
  readonly components: number;
  /** Whether each example is about one text, or runs all of them. */
  readonly runs: "one" | "all";
  /** Keywords of a component, and the most that one example needs of them. */
  readonly keywords: number;
  readonly maxNeeded: number;
  /**
   * - `share`: the mean over components of the share that is there, less half that
   *   of harmful habits.
   * - `product`: of the same.
   * - `binary`: 1 if nothing is lacking or harmful, else 0.
   */
  readonly scoring: "share" | "product" | "binary";
  /** Standard deviation of what is added to each score, clipped to [0, 1]. */
  readonly noise: number;
  /** How often the mock writes a worse text. */
  readonly wrong: number;
  readonly sizes: SplitSizes;
  /** Share of examples that the seed fails on. */
  readonly failing: number;
}

interface Need {
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
}

const harmfulHabits = 8;

/**
 * Examples need keywords in the texts that they run, and are hurt by harmful habits. The mock
 * adds what it is told, or, when it is wrong, forgets a keyword, takes on a harmful habit, or both;
 * no text of its comes twice.
 */
export function keywordEnvironment(shape: KeywordShape, task: number, actsOn: number): Environment {
  const key = `${shape.name}:${task}`;
  const { needs, splits } = examplesOf(shape, drawsOf(key));
  const [train, val, test] = splits;
  const inTrain = new Set(train);
  const wordsOf = cachedWords();
  const needsOf = (exampleId: string): Readonly<Record<string, Need>> => needs.get(exampleId) ?? {};
  const trueScore: Environment["trueScore"] = (texts, exampleId) => {
    const parts = Object.entries(needsOf(exampleId)).map(([component, need]) =>
      partScore(need, wordsOf(texts[component] ?? "")),
    );
    return combined[shape.scoring](parts);
  };
  return {
    name: shape.name,
    task,
    texts: Object.fromEntries(
      componentsOf(shape).map((name) => [name, `Do step ${name} well. base`]),
    ),
    train,
    val,
    test,
    ran: (exampleId) => Object.keys(needsOf(exampleId)),
    trueScore,
    rolloutScore: (texts, exampleId, run, rollout) => {
      const expected = trueScore(texts, exampleId);
      if (shape.noise === 0) return expected;
      const added = shape.noise * normal(drawsOf(`noise:${key}:${run}:${rollout}`));
      return Math.min(1, Math.max(0, expected + added));
    },
    feedback: (texts, exampleId, score) => {
      if (!inTrain.has(exampleId) || score >= 1) return {};
      return Object.fromEntries(
        Object.entries(needsOf(exampleId)).flatMap(([component, need]) => {
          const said = directive(need, wordsOf(texts[component] ?? ""));
          return said === null ? [] : [[component, said]];
        }),
      );
    },
    rewrite: ({ component, text, feedback, run, call }) => {
      const draws = drawsOf(`lm:${key}:${run}:${call}`);
      const words = text.split(/\s+/).filter((word) => !word.startsWith("v#"));
      const isWrong = draws() < shape.wrong;
      const written = isWrong ? worse(words, component, draws) : followed(words, feedback, actsOn);
      return [...new Set(written), `v#${call}`].join(" ");
    },
  };
}

function componentsOf({ components }: KeywordShape): readonly string[] {
  return Array.from({ length: components }, (_, number) => `c${number}`);
}

function examplesOf(
  shape: KeywordShape,
  draws: Draws,
): {
  readonly needs: ReadonlyMap<string, Readonly<Record<string, Need>>>;
  readonly splits: readonly [readonly string[], readonly string[], readonly string[]];
} {
  const components = componentsOf(shape);
  const needs = new Map<string, Readonly<Record<string, Need>>>();
  const drawn = (pool: string[], count: number): readonly string[] =>
    Array.from({ length: count }, () => pool.splice(below(draws, pool.length), 1)[0] ?? "");
  const poolOf = (kind: "kw" | "bad", component: string, size: number): string[] =>
    Array.from({ length: size }, (_, number) => `${kind}_${component}_${number}`);
  const split = (prefix: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => {
      const fails = draws() < shape.failing;
      const about =
        shape.runs === "all" ? components : [components[below(draws, components.length)] ?? ""];
      const entries = about.map((component) => {
        const pool = poolOf("kw", component, shape.keywords);
        const required = fails ? drawn(pool, 1 + below(draws, shape.maxNeeded)) : ["base"];
        const forbidden = drawn(poolOf("bad", component, harmfulHabits), 2);
        return [component, { required, forbidden }] as const;
      });
      needs.set(`${prefix}${index}`, Object.fromEntries(entries));
      return `${prefix}${index}`;
    });
  const [train, val, test] = shape.sizes;
  return { needs, splits: [split("tr", train), split("va", val), split("te", test)] };
}

function partScore({ required, forbidden }: Need, words: ReadonlySet<string>): number {
  const share = (some: readonly string[]): number =>
    some.filter((word) => words.has(word)).length / some.length;
  return Math.max(0, share(required) - 0.5 * share(forbidden));
}

const combined: Readonly<Record<KeywordShape["scoring"], (parts: readonly number[]) => number>> = {
  share: (parts) => parts.reduce((sum, part) => sum + part, 0) / parts.length,
  product: (parts) => parts.reduce((product, part) => product * part, 1),
  binary: (parts) => (parts.every((part) => part >= 1) ? 1 : 0),
};

function directive({ required, forbidden }: Need, words: ReadonlySet<string>): string | null {
  const missing = required.find((word) => !words.has(word));
  if (missing !== undefined) return `ADD ${missing}`;
  const unwanted = forbidden.find((word) => words.has(word));
  return unwanted === undefined ? null : `REMOVE ${unwanted}`;
}

/** The text after the first directives that change it, at most `most`. */
function followed(
  before: readonly string[],
  feedback: readonly string[],
  most: number,
): readonly string[] {
  let words = before;
  let done = 0;
  for (const [, operation, word = ""] of feedback.flatMap((said) => [
    ...said.matchAll(/(ADD|REMOVE) ((?:kw|bad)_\w+)/g),
  ])) {
    if (done >= most) break;
    if ((operation === "ADD") === words.includes(word)) continue;
    words = operation === "ADD" ? [...words, word] : words.filter((held) => held !== word);
    done++;
  }
  return words;
}

/** A text that has lost a keyword, taken on a harmful habit, or both. */
function worse(before: readonly string[], component: string, draws: Draws): readonly string[] {
  const kind = draws();
  const held = before.filter((word) => word.startsWith("kw_"));
  let words = before;
  if (kind < 0.67 && held.length > 0) {
    const lost = held[below(draws, held.length)];
    words = words.filter((word) => word !== lost);
  }
  if (kind < 0.33 && held.length > 0) return words;
  return [...words, `bad_${component}_${below(draws, harmfulHabits)}`];
}

function cachedWords(): (text: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (text) => {
    let words = known.get(text);
    if (words === undefined) {
      if (known.size > 5_000) known.clear();
      known.set(text, (words = new Set(text.split(/\s+/))));
    }
    return words;
  };
}
