import { setTimeout } from "node:timers/promises";
import type { Proposer, TextScore, TextTask } from "espalier/optimizer";
import { customProposer } from "espalier/optimizer";
import type { Candidate } from "../../../../src/contract/index.ts";
import { randomSource } from "../../../../src/internal/index.ts";

/** Wants words in the texts `first`, `second` and `third`, and shuns others there. */
export type KeywordExample = {
  readonly wants: Readonly<Record<string, readonly string[]>>;
  readonly shuns: Readonly<Record<string, readonly string[]>>;
  /** `third` has a part in it only where `second` holds this word. */
  readonly gate: string;
};

export interface KeywordTaskOptions {
  readonly seed?: number;
  readonly train?: number;
  readonly val?: number;
  /** Whether train selects, too. @default false */
  readonly sharesSplits?: boolean;
  /** Whether each evaluation takes a random time. @default false */
  readonly isSlow?: boolean;
  /** Whether words can do harm. @default true */
  readonly hasConflicts?: boolean;
  /** Whether each score comes with objectives. @default false */
  readonly hasObjectives?: boolean;
  /** Added to every score: what texts do that no trace tells of. @default nothing */
  readonly leak?: (texts: Readonly<Record<string, string>>) => number;
  /** Added to the score of call `number`, counted from 1. @default nothing */
  readonly noise?: (number: number) => number;
}

export interface KeywordTask {
  readonly task: TextTask<KeywordExample>;
  /** Examples that were evaluated, in the order they began. */
  readonly calls: readonly string[];
  /** What `evaluate` gives, without counting it. */
  judge(texts: Readonly<Record<string, string>>, exampleId: string): TextScore;
}

const words = Array.from({ length: 12 }, (_, number) => `w${number}`);

/**
 * A small search with three texts, of which an example runs one, two or three, depending on it and
 * on the texts: what is known of one candidate stands for another only by its trace.
 */
export function keywordTask(options: KeywordTaskOptions = {}): KeywordTask {
  const { seed = 0, train: trainSize = 12, val: valSize = 10, noise } = options;
  const draws = randomSource(seed, "keyword task");
  const examples = (prefix: string, count: number): Record<string, KeywordExample> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, number) => {
        const names = draws.below(3) === 0 ? ["first"] : ["second", "third"];
        const wants: Record<string, readonly string[]> = {};
        const shuns: Record<string, readonly string[]> = {};
        for (const name of names) {
          const [one = "", other = "", shunned = ""] = draws.sample(words, 3);
          wants[name] = [one, other];
          shuns[name] = options.hasConflicts === false ? [] : [shunned];
        }
        return [`${prefix}${number}`, { wants, shuns, gate: draws.choice(words) }];
      }),
    );
  const train = examples("t", trainSize);
  const val = options.sharesSplits === true ? train : examples("v", valSize);
  const calls: string[] = [];
  const judge: KeywordTask["judge"] = (texts, exampleId) => {
    const example = (train[exampleId] ?? val[exampleId]) as KeywordExample;
    const score = scoreOf(example, texts);
    return { ...score, ...(options.hasObjectives === true && { objectives: objectivesOf(score) }) };
  };
  const task: TextTask<KeywordExample> = {
    name: "keywords",
    version: "1",
    texts: { first: "Begin.", second: "Go on.", third: "End." },
    train,
    val,
    evaluate: (texts, _, { exampleId }) => {
      const number = calls.push(exampleId);
      const said = judge(texts, exampleId);
      const extra = (noise?.(number) ?? 0) + (options.leak?.(texts) ?? 0);
      const judged = { ...said, score: said.score + extra };
      if (options.isSlow !== true) return judged;
      return setTimeout(randomSource(number, exampleId).below(4), judged);
    },
  };
  return { task, calls, judge };
}

function scoreOf(
  { wants, shuns, gate }: KeywordExample,
  texts: Readonly<Record<string, string>>,
): TextScore {
  const holds = (name: string, word: string): boolean =>
    (texts[name] ?? "").split(" ").includes(word);
  const ran = Object.keys(wants).filter((name) => name !== "third" || holds("second", gate));
  const feedback: Record<string, string> = {};
  let [hits, all, harm] = [0, 0, 0];
  for (const name of Object.keys(wants)) {
    for (const word of wants[name] ?? []) {
      all++;
      if (!ran.includes(name)) feedback["second"] ??= `ADD ${gate}`;
      else if (holds(name, word)) hits++;
      else feedback[name] ??= `ADD ${word}`;
    }
    for (const word of shuns[name] ?? []) {
      if (!ran.includes(name) || !holds(name, word)) continue;
      harm++;
      feedback[name] ??= `REMOVE ${word}`;
    }
  }
  const score = Math.max(0, (hits - 0.5 * harm) / all);
  return { score, ran, ...(Object.keys(feedback).length > 0 && { feedback }) };
}

function objectivesOf({ score, ran = [] }: TextScore): Readonly<Record<string, number>> {
  return { score, thrift: 1 / ran.length };
}

/**
 * Does what the first directive that changes the text says; one text in five, it drops the last
 * word instead. A function of the request, so that it is the same at any concurrency.
 */
export function directedProposer({ writes = 1 }: { readonly writes?: number } = {}): Proposer {
  return customProposer("directed", ({ id, component, cases }) => {
    const held = component.value.split(" ");
    if (randomSource(0, id).below(5) === 0 && held.length > 1) return held.slice(0, -1).join(" ");
    let written = 0;
    for (const { feedback } of cases) {
      for (const [, operation, word = ""] of feedback.matchAll(/(ADD|REMOVE) (w\d+)/g)) {
        if (written === writes) break;
        if (operation === "ADD" && !held.includes(word)) {
          held.push(word);
          written++;
        }
        if (operation === "REMOVE" && held.includes(word)) {
          held.splice(held.indexOf(word), 1);
          written++;
        }
      }
    }
    return held.join(" ");
  });
}

/** The texts that components hold, by name. */
export function textsOf(components: Candidate): Readonly<Record<string, string>> {
  return Object.fromEntries(
    components.map(({ path, value }) => [path, typeof value === "string" ? value : ""]),
  );
}
