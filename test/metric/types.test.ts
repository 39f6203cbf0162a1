import { expect, expectTypeOf, it } from "vitest";
import type { Metric, Score, Scored, TunableProgram } from "espalier";
import { predict, program, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { z } from "zod";

const labels = { answers: z.array(z.string()) };
const ask = signature({
  name: "ask",
  instruction: "Answer.",
  input: { question: text("question") },
  output: { answer: text("answer"), source: z.string().optional() },
});
const answerer = program({
  name: "answerer",
  version: "1",
  input: ask.input,
  output: ask.output,
  predictors: { draft: predict(ask), finish: predict(ask) },
  forward: (given, { predictors }) => predictors.finish(given),
});
const one = { id: "1", input: { question: "Who?" }, labels: { answers: ["Ada"] } };
const parts = {
  name: "answers",
  program: answerer,
  trainset: trainset({
    name: "answers",
    version: "1",
    licence: "CC0-1.0",
    source: "own writing",
    splits: { train: [one], val: [{ ...one, id: "2" }], test: [{ ...one, id: "3" }] },
  }),
};
const identity = { name: "m", version: "1" };

it("a metric's types follow from the fields that it reads", () => {
  const made = metric({
    ...identity,
    output: answerer.output,
    labels,
    appliesTo: ({ labels: { answers } }) => answers.length > 0,
    score: ({ output, example }) => {
      expectTypeOf(output.answer).toExtend<string>();
      expectTypeOf(output.source).toEqualTypeOf<string | undefined>();
      expectTypeOf(example.labels).toEqualTypeOf<{ readonly answers: string[] }>();
      // @ts-expect-error -- the output has no such field
      void output.nothing;
      return scored(example.labels.answers.includes(output.answer) ? 1 : 0);
    },
  });
  expect(Object.keys(made)).not.toContain("output");
  expect(study({ ...parts, objective: made }).objective).toBe(made);
  // @ts-expect-error -- labels of another kind
  const other: Metric<unknown, unknown, { readonly answers: readonly number[] }> = made;
  expect(other).toBe(made);
});

it("a metric of fields that the program lacks fits no study of it", () => {
  const score = () => scored(1);
  const missing = metric({ ...identity, output: { summary: text("answer") }, score });
  // @ts-expect-error -- the program gives no summary
  expect(study({ ...parts, objective: missing }).objective).toBe(missing);
});

it("blame in a study's objective names predictors of its program, or paths to them", () => {
  const { objective } = study({
    ...parts,
    objective: {
      ...identity,
      score: ({ output, example, trace }) => {
        if (output.answer === "") return scored(0, "", [{ path: "draft", text: "Empty." }]);
        const hop = example.labels.answers.length;
        const known: string = trace.program;
        if (hop > 2) return scored(0, "", [{ path: `hop[${hop}]/finish[2]`, text: "Late." }]);
        if (hop > 1) return scored(0, "", [{ path: known, text: "Found at run time." }]);
        return scored(1);
      },
    },
  });
  expect(objective.name).toBe("m");
  const misspelt = () =>
    study({
      ...parts,
      objective: {
        ...identity,
        // @ts-expect-error -- the program has no such predictor
        score: ({ output }) => scored(0, output.answer, [{ path: "finnish", text: "Wrong." }]),
      },
    });
  expect(misspelt).not.toThrow();
});

it("a study's objective may return a score of a public type, whose blame may name any path", () => {
  const blame = [{ path: "finnish", text: "Found at run time." }];
  const asScored = (answer: string): Scored => scored(0, answer, blame);
  const asScore = (answer: string): Score => asScored(answer);
  const later = (answer: string): Promise<Score> => Promise.resolve(asScore(answer));
  const objectives = [
    study({ ...parts, objective: { ...identity, score: ({ output }) => asScored(output.answer) } }),
    study({ ...parts, objective: { ...identity, score: ({ output }) => asScore(output.answer) } }),
    study({ ...parts, objective: { ...identity, score: ({ output }) => later(output.answer) } }),
    study({
      ...parts,
      objective: { ...identity, score: async ({ output }) => asScored(output.answer) },
    }),
  ];
  expect(objectives.map(({ name }) => name)).toEqual(Array(4).fill("answers"));
});

it("wrong literal blame fails to compile in every branch, and in an async objective", () => {
  const wrong = () => [
    study({
      ...parts,
      objective: {
        ...identity,
        // @ts-expect-error -- the program has no such predictor
        score: ({ output }) => {
          if (output.answer === "") return scored(0, "", [{ path: "finnish", text: "Empty." }]);
          return scored(1);
        },
      },
    }),
    study({
      ...parts,
      objective: {
        ...identity,
        // @ts-expect-error -- the program has no such predictor
        score: async ({ output }) => scored(0, output.answer, [{ path: "finnish", text: "No." }]),
      },
    }),
  ];
  expect(wrong).not.toThrow();
});

it("blame of a program whose predictors are not known may name any", () => {
  const unknown: TunableProgram<{ readonly question: string }, { readonly answer: string }> =
    answerer;
  const score = () => scored(0, "", [{ path: "any", text: "Wrong." }]);
  expect(study({ ...parts, program: unknown, objective: { ...identity, score } }).name).toBe(
    "answers",
  );
});
