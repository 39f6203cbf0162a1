import { describe, expect, it } from "vitest";
import { testTitles } from "./support/test-titles.ts";

/**
 * What any implementation of GEPA, and of the evaluation under it, should do: 25 behaviours, drawn from
 * the tests of gepa 0.1.4 and dspy. Tests that check one say so in their title: "behaviour 8: ...".
 */
const behaviours: Readonly<Record<number, string>> = {
  1: "the ledger of metric calls is what the evaluator saw, in the result and in every event",
  2: "recorded runs of gepa 0.1.4 are made again, decision by decision, in 13 configurations",
  3: "the same seed gives the same run; so do defaults that are spelled out",
  4: "events come in order, iterations counted from 1, the seed being 0",
  5: "acceptance on sums, strict or allowing equal ones; what has no score",
  6: "a criterion is asked once for each proposal, and refusals tell true reasons",
  7: "identical children of one iteration are evaluated once",
  8: "Pareto selection follows the frequency in the fronts, dominated candidates are never chosen",
  9: "epsilon 0 and 1, the current best, an invalid epsilon",
  10: "four frontiers with the right mapping; missing objectives fail early",
  11: "minibatches in epochs: padding, distinct chunks, shuffled anew; nothing to sample from",
  12: "round robin with a pointer for each candidate, inherited, advanced by failures alone",
  13: "what teaches nothing costs the parent's calls alone",
  14: "an empty proposal is not evaluated, nor told as a candidate",
  15: "texts are taken out of their fences",
  16: "templates and their placeholders are checked",
  17: "merges: which pairs, over which ancestors, what comes of them, never twice",
  18: "rollouts are known by candidate, split and example; train never stands for val",
  19: "a resumed run is the run that was not interrupted, and spends nothing twice",
  20: "evaluation on part of val; the best by mean, then by coverage",
  21: "what a failing listener and a failing evaluation do to a run",
  22: "a result survives JSON",
};

/** Behaviours with tests that were there before, by what they are called. */
const elsewhere: Readonly<Record<number, readonly (readonly [file: string, title: string])[]>> = {
  // Adapters: exact messages, what is parsed, missing fields, one correction where it is allowed.
  23: [
    ["program/rendered-prompts.test.ts", "are what is sent"],
    [
      "program/driver.contract.ts",
      "renders exactly what it sends, with the instruction word for word",
    ],
    ["program/driver.contract.ts", "makes no correction when it may not"],
  ],
  // Evaluation: order, failure scores, the end on an error, who failed, usage over workers.
  24: [
    [
      "evaluate/evaluate.test.ts",
      "gives one row per example, in the order given, whatever finishes first",
    ],
    [
      "evaluate/evaluate-failures.test.ts",
      "scores format failures as the metric says and counts them apart",
    ],
    [
      "evaluate/evaluate-stops.test.ts",
      "ends on an error of the program, names the example, aborts what runs and starts no more",
    ],
    [
      "lm/ledger.test.ts",
      "goes on from a snapshot that went through JSON, and adds another's counts",
    ],
  ],
  // Few-shot: no optimizer bootstraps demonstrations yet. What holds of any demonstration is tested.
  25: [["program/demonstrations.test.ts", "are not shown when their own example is judged"]],
};

const titles = testTitles();

describe("the 25 behaviours", () => {
  it("are each accounted for", () => {
    const numbers = [...Object.keys(behaviours), ...Object.keys(elsewhere)].map(Number);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 25 }, (_, place) => place + 1),
    );
  });

  it.each(Object.entries(behaviours))("number %s is named by a test: %s", (number) => {
    const named = new RegExp(`\\bbehaviours? (?:\\d+(?:, | and ))*${number}\\b`, "i");
    expect(titles.filter(({ title }) => named.test(title))).not.toEqual([]);
  });

  it.each(Object.entries(elsewhere))(
    "number %s has the tests that are said to check it",
    (_, held) => {
      for (const [file, title] of held) expect(titles).toContainEqual({ file, title });
    },
  );

  it("are named by their number, and no test names another", () => {
    const named = titles.flatMap(({ title }) =>
      [...title.matchAll(/\bbehaviours? ((?:\d+(?:, | and )?)+)/gi)].flatMap(([, numbers = ""]) =>
        numbers.split(/, | and /).map(Number),
      ),
    );
    expect(named.filter((number) => behaviours[number] === undefined)).toEqual([]);
  });
});
