import { describe, expect, it } from "vitest";
import { predict, program, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import type { OptimizerEvent } from "espalier/optimizer";
import { customProposer, gepa, optimize } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import type { GoldPart } from "../../../src/contract/index.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { expectNumbers, restOf } from "./support/event-order.ts";

/** What each step should say. */
interface Labels {
  readonly routed: string;
  readonly found: string;
  readonly written: string;
}
interface Given {
  readonly labels: Labels;
}
type Gold = Readonly<Record<string, (example: Given) => GoldPart | null>>;

/** A step that marks what it was given with what it knows. */
const step = (name: string, knows: string) =>
  predict(
    signature({
      name,
      instruction: `Do your part. knows ${knows}`,
      input: { given: z.string().describe("What came before.") },
      output: { said: z.string().describe("The same with a mark.") },
    }),
  );

/** Three steps in a row, of which the second does not know its part. */
const chain = program({
  name: "chain",
  version: "1",
  input: { question: text("question") },
  output: { answer: z.string() },
  predictors: {
    route: step("route", "route"),
    find: step("find", "nothing"),
    write: step("write", "write"),
  },
  forward: async ({ question }, { predictors }) => {
    const { said: routed } = await predictors.route({ given: String(question) });
    const { said: found } = await predictors.find({ given: routed });
    const { said: answer } = await predictors.write({ given: found });
    return { answer };
  },
});

const servedChain = () =>
  scriptedLm(({ messages }) => {
    const all = messages.map(({ content }) => content).join("\n");
    const knows = /knows (\w+)/.exec(all)?.[1] ?? "";
    const given = /q\d+[\w+]*/.exec(messages.at(-1)?.content ?? "")?.[0] ?? "";
    return JSON.stringify({ said: knows === "nothing" ? given : `${given}+${knows}` });
  });

const examples = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => {
    const question = `q${prefix}${number}`;
    const labels: Labels = {
      routed: `${question}+route`,
      found: `${question}+route+find`,
      written: `${question}+route+find+write`,
    };
    return { id: question, input: { question }, labels, cluster: question };
  });

/** Says that an answer is wrong, and not why. */
const isRight = metric<{ readonly question: string }, { readonly answer: string }, Labels>({
  name: "is-right",
  version: "1",
  score: ({ example: { labels }, output: { answer } }) =>
    scored(Number(answer === labels.written), `The answer was "${answer}".`),
  formatFailure: () => scored(0, "There is no answer."),
});

function declared(gold?: Gold) {
  return study({
    name: "chained",
    program: chain,
    trainset: trainset({
      name: "questions",
      version: "1",
      licence: "none",
      source: "this test",
      splits: { train: examples("1", 12), val: examples("2", 10), test: examples("3", 2) },
    }),
    objective: isRight,
    ...(gold && { gold }),
  });
}

/** Has one text written. */
async function searched(gold?: Gold, seed = 0) {
  await using served = await servedChain();
  const asked: string[] = [];
  const feedback: string[] = [];
  const events: OptimizerEvent[] = [];
  const result = await optimize(declared(gold), {
    optimizer: gepa({
      reflection: {
        checks: [],
        proposer: customProposer("names-it", ({ component, cases }) => {
          asked.push(component.path);
          feedback.push(...cases.map((one) => one.feedback));
          return `Do your part. knows ${component.path} ${asked.length}`;
        }),
      },
    }),
    lm: served.lm,
    seed,
    budget: { metricCalls: 150, reflectionCalls: 1 },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  const replays = events.filter(({ kind }) => kind === "gold-replayed").length;
  return { result, asked, feedback: feedback.join("\n"), events, replays };
}

describe("gold in place of one step's part", () => {
  it.each<[string, Gold, string]>([
    [
      "what the first two should say",
      {
        route: ({ labels }) => ({ outputs: { said: labels.routed } }),
        find: ({ labels }) => ({ outputs: { said: labels.found } }),
        write: ({ labels }) => ({ inputs: { given: labels.found } }),
      },
      "With the right output of this step in its place, the score of this run rises from 0 to 1.",
    ],
    [
      "what each should be given",
      {
        route: ({ labels }) => ({ outputs: { said: labels.routed } }),
        find: ({ labels }) => ({ inputs: { given: labels.routed } }),
        write: ({ labels }) => ({ inputs: { given: labels.found } }),
      },
      "Given the right `given`, the score of this run stays at 0.",
    ],
  ])("leads reflection to the step at fault alone, by %s", async (_, gold, says) => {
    for (const seed of [0, 1, 2, 3]) {
      const { result, asked, feedback, events, replays } = await searched(gold, seed);
      expect(asked).toEqual(["find"]);
      expect(feedback).toContain(says);
      // No replay's score counts for a candidate.
      expect(result.candidates.map(({ selection }) => selection.value)).toEqual([0, 1]);
      expect(replays).toBeGreaterThan(0);
      expect(restOf(events)).toBe("x");
      expectNumbers(events);
    }
  });

  it("is a metric call, within the budget", async () => {
    const { result, replays, events } = await searched({
      write: ({ labels }) => ({ inputs: { given: labels.found } }),
    });
    const evaluated = events.flatMap((event) =>
      event.kind === "candidate-evaluated" ? [Object.keys(event.scores).length - event.reused] : [],
    );
    const { metricCalls } = result.spent;
    expect(metricCalls).toBe(replays + evaluated.reduce((sum, count) => sum + count, 0));
    expect(replays).toBeLessThanOrEqual(0.2 * metricCalls);
  });

  it("changes nothing where labels do not say", async () => {
    const asked = new Set<string>();
    for (const seed of [0, 1, 2, 3]) {
      const [silent, none] = [
        await searched({ find: () => null }, seed),
        await searched(undefined, seed),
      ];
      expect(silent.events.slice(1)).toEqual(none.events.slice(1));
      expect(none.replays).toBe(0);
      for (const one of none.asked) asked.add(one);
    }
    // Such feedback blames any step.
    expect([...asked]).not.toEqual(["find"]);
  });

  it("is refused where it does not fit", async () => {
    expect(await thrownBy(() => declared({ rank: () => null }))).toMatchObject({
      code: "study-invalid",
      message: expect.stringContaining("`rank`"),
    });
    for (const [part, says] of [
      [{ outputs: { sad: "" } }, "`sad` is not among its outputs said"],
      [{ outputs: {} }, "`said`: "],
      [{ inputs: { gave: "" } }, "`gave` is not among its inputs given"],
      [{}, "an object without fields"],
    ] as const) {
      const thrown = await thrownBy(() => searched({ find: () => part as GoldPart }));
      expect(thrown).toMatchObject({ code: "study-invalid" });
      expect(thrown.message).toContain(says);
      expect(thrown.message).toContain('example "q10"');
    }
  });
});
