import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RunOptions } from "../../src/contract/index.ts";
import type { Evaluation, EvaluationEvent } from "../../src/evaluate/index.ts";
import { evaluate } from "../../src/evaluate/index.ts";
import { metric, notApplicable, scored } from "../../src/metric/index.ts";
import { thrownBy } from "../support/thrown-by.ts";
import type { Held } from "./programs.ts";
import { echo, examplesOf, failureWith, identity, unusedLm } from "./programs.ts";

const base = { metric: identity, lm: unusedLm, resamples: 0 };

test("gives one row per example, in the order given, whatever finishes first", async () => {
  const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const program = echo(async (input) => {
    // The last ends first.
    await ends[input.value + 1]?.promise;
    ends[input.value]?.resolve();
    return input;
  });
  const { rows, value } = await evaluate({ ...base, program, examples: examplesOf([0, 1, 2]) });
  expect(rows.map(({ exampleId, score }) => [exampleId, score])).toEqual([
    ["e0", { kind: "scored", value: 0 }],
    ["e1", { kind: "scored", value: 1 }],
    ["e2", { kind: "scored", value: 2 }],
  ]);
  expect(value).toBe(1);
});

test("hands LMs, role, seed, example and repetition to every run", async () => {
  const seen: Partial<RunOptions>[] = [];
  const program = echo((input, { lm, lms, role, seed, exampleId, repetition }) => {
    seen.push({
      lm,
      ...(lms && { lms }),
      role: role!,
      seed: seed!,
      exampleId: exampleId!,
      repetition: repetition!,
    });
    return input;
  });
  const lms = { judge: unusedLm };
  const examples = examplesOf([1]);
  await evaluate({ ...base, program, examples, lms, role: "reflection", seed: 7, repetitions: 2 });
  const expected = { lm: unusedLm, lms, role: "reflection", seed: 7, exampleId: "e0" };
  expect(seen).toEqual([
    { ...expected, repetition: 0 },
    { ...expected, repetition: 1 },
  ]);
});

test("keeps as many runs in flight as asked and never more", async () => {
  let inFlight = 0;
  const seen: number[] = [];
  const program = echo(async (input) => {
    seen.push(++inFlight);
    await setImmediate();
    inFlight--;
    return input;
  });
  const examples = examplesOf(Array.from({ length: 40 }, () => 1));
  await evaluate({ ...base, program, examples, concurrency: 5 });
  expect(Math.max(...seen)).toBe(5);
});

/** An evaluation with all its times set to 0. */
function timeless(evaluation: Evaluation<Held>): unknown {
  const rows = evaluation.rows.map((row) => ({
    ...row,
    latencyMs: 0,
    runs: row.runs?.map((run) => ({ ...run, latencyMs: 0 })),
  }));
  return { ...evaluation, seconds: 0, rows };
}

const ending = fc.constantFrom("good", "format", "fault once", "fault always", "swallowed fault");

test("is the same at any concurrency, with faults and format failures on the way", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.float({ min: 0, max: 1, noNaN: true }), ending, fc.nat(3)), {
        minLength: 1,
        maxLength: 30,
      }),
      fc.integer({ min: 1, max: 2 }),
      async (plan, repetitions) => {
        const examples = plan.map(([value, , cluster], index) => ({
          id: `e${index}`,
          input: { value },
          labels: {},
          cluster: `c${cluster}`,
        }));
        const at = async (concurrency: number): Promise<unknown> => {
          const tries = new Map<string, number>();
          const fault = failureWith("lm-stalled");
          const planOf = (id = "") => plan[Number(id.slice(1))]!;
          const program = echo(
            async (input, { exampleId, repetition }) => {
              const [value, how] = planOf(exampleId);
              const run = `${exampleId}/${repetition}`;
              tries.set(run, (tries.get(run) ?? 0) + 1);
              if (value < 0.3) await setImmediate();
              if (how === "format") throw failureWith("output-empty");
              if (how === "fault always") throw fault;
              if (how === "fault once" && tries.get(run) === 1) throw fault;
              return { value: input.value + repetition! };
            },
            ({ exampleId, repetition }) =>
              planOf(exampleId)[1] === "swallowed fault" &&
              tries.get(`${exampleId}/${repetition}`)! < 3
                ? [{ kind: "infrastructure", code: "lm-stalled", message: "stalled" }]
                : [],
          );
          const options = { ...base, program, examples, concurrency, repetitions, resamples: 20 };
          return timeless(await evaluate(options));
        };
        const [one, eight, many] = [await at(1), await at(8), await at(64)];
        expect(eight).toEqual(one);
        expect(many).toEqual(one);
      },
    ),
    { numRuns: 40 },
  );
});

test("means several repetitions, and shows the lowest run with all runs beside it", async () => {
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ output }) => scored(output.value, `is ${output.value}`, [], { size: -output.value }),
  });
  const program = echo((input, { repetition }) => ({
    value: [3, 1, 2][repetition!]! + input.value,
  }));
  const examples = examplesOf([0]);
  const { rows } = await evaluate({ ...base, program, metric: judge, examples, repetitions: 3 });
  expect(rows[0]).toMatchObject({
    score: { kind: "scored", value: 2, feedback: "is 1", objectives: { size: -2 } },
    output: { value: 1 },
  });
  expect(rows[0]?.runs?.map(({ output }) => output?.value)).toEqual([3, 1, 2]);
});

test("leaves a row unscored when one of its repetitions is, and out when none applies", async () => {
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ output }) => (output.value > 1 ? notApplicable("big") : scored(output.value)),
  });
  const program = echo((input, { repetition, exampleId }) => {
    if (exampleId === "e0" && repetition === 1) throw failureWith("lm-unreachable");
    return exampleId === "e1" && repetition === 1 ? { value: 5 } : input;
  });
  const options = { ...base, program, metric: judge, repetitions: 2 };
  const { rows, counts } = await evaluate({ ...options, examples: examplesOf([0.5, 0.5, 5]) });
  expect(rows.map(({ score }) => score.kind)).toEqual(["unscored", "scored", "not-applicable"]);
  expect(rows[1]?.score).toMatchObject({ value: 0.5 });
  expect(counts).toEqual({ scored: 1, notApplicable: 1, unscored: 1, formatFailures: 0 });
});

test("takes the metric's own aggregate for the objective", async () => {
  const judge = {
    ...identity,
    aggregate: (rows: readonly { value: number }[]) => Math.max(...rows.map(({ value }) => value)),
  };
  const examples = examplesOf([1, 3, 2]);
  const evaluation = await evaluate({ ...base, program: echo(), metric: judge, examples });
  expect(evaluation).toMatchObject({ value: 3, objective: "aggregate" });
});

/** Weighs the value with an objective that applies to some rows only. */
const weighed = metric<Held, Held>({
  name: "weighed",
  version: "1",
  score: ({ output: { value } }) =>
    scored(value, undefined, undefined, value > 1 ? { weight: value } : undefined),
  aggregate: (rows) =>
    rows.reduce((sum, { value, objectives }) => sum + value * (objectives?.["weight"] ?? 100), 0),
});

test("hands further objectives to the aggregate, resampled or not", async () => {
  const examples = examplesOf([1, 3, 2]);
  const options = { ...base, program: echo(), metric: weighed, resamples: 200 };
  const evaluation = await evaluate({ ...options, examples });
  expect(evaluation.value).toBe(100 + 9 + 4);
  // The least and the most that three of these rows can come to.
  expect(evaluation.interval?.low).toBeGreaterThanOrEqual(12);
  expect(evaluation.interval?.high).toBeLessThanOrEqual(300);
  const repeated = await evaluate({ ...options, examples, repetitions: 2 });
  expect(repeated.value).toBe(100 + 9 + 4);
});

test("means further objectives over the rows that report them", async () => {
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ output: { value } }) =>
      scored(value, undefined, undefined, value > 1 ? { a: value, b: 1 } : { a: value }),
  });
  const { objectives } = await evaluate({
    ...base,
    program: echo(),
    metric: judge,
    examples: examplesOf([1, 3]),
  });
  expect(objectives).toEqual({ a: 2, b: 1 });
});

test("is frozen and survives JSON", async () => {
  const evaluation = await evaluate({
    ...base,
    program: echo(),
    examples: examplesOf([1, 2]),
    resamples: 10,
  });
  expect(JSON.parse(JSON.stringify(evaluation))).toEqual(evaluation);
  for (const held of [
    evaluation,
    evaluation.rows,
    evaluation.rows[0],
    evaluation.counts,
    evaluation.interval,
  ]) {
    expect(Object.isFrozen(held)).toBe(true);
  }
});

test("tells its progress", async () => {
  const events: EvaluationEvent[] = [];
  const tries = new Set<string>();
  const program = echo((input, { exampleId = "" }) => {
    if (exampleId === "e0" && !tries.has(exampleId)) {
      tries.add(exampleId);
      throw failureWith("lm-stalled");
    }
    return input;
  });
  let now = 0;
  const clock = { now: () => (now += 100), sleep: () => Promise.resolve() };
  const onEvent = (event: EvaluationEvent) => void events.push(event);
  const examples = examplesOf([0, 1]);
  await evaluate({ ...base, program, examples, concurrency: 1, onEvent, clock });
  expect(events).toEqual([
    { kind: "evaluation-start", total: 2, program: "echo", metric: "identity" },
    {
      kind: "example-retry",
      exampleId: "e0",
      failure: expect.objectContaining({ code: "lm-stalled" }),
    },
    {
      kind: "example-end",
      done: 1,
      total: 2,
      exampleId: "e1",
      score: "scored",
      row: expect.objectContaining({ exampleId: "e1" }),
      etaMs: expect.any(Number),
    },
    {
      kind: "example-end",
      done: 2,
      total: 2,
      exampleId: "e0",
      score: "scored",
      row: expect.objectContaining({ exampleId: "e0" }),
      etaMs: 0,
    },
    { kind: "evaluation-end", state: "completed", done: 2, total: 2, seconds: expect.any(Number) },
  ]);
});

test("checks every input before the first run and names the first five that do not fit", async () => {
  let runs = 0;
  const program = echo((input) => {
    runs++;
    return input;
  });
  const bad = Array.from({ length: 7 }, (_, index) => ({
    id: `bad${index}`,
    input: {} as Held,
    labels: {},
  }));
  const error = await thrownBy(() =>
    evaluate({ ...base, program, examples: [...examplesOf([1]), ...bad] }),
  );
  expect(error.code).toBe("input-invalid");
  expect(error.message).toBe(
    "7 of 8 examples do not match program `echo`. Expected: inputs that match the program's input fields. Got: `bad0`: field `value` is not a number, `bad1`: field `value` is not a number, `bad2`: field `value` is not a number, `bad3`: field `value` is not a number, `bad4`: field `value` is not a number and 2 more. Map the rows to the program's input fields when you create the trainset.",
  );
  expect(runs).toBe(0);
});

test("refuses no examples, repeated ids and options outside their range", async () => {
  const [example] = examplesOf([1]);
  const refusal = async (changed: object) => {
    const error = await thrownBy(() =>
      evaluate({ ...base, program: echo(), examples: [example!], ...changed }),
    );
    return `${error.code}: ${error.report.got}`;
  };
  expect(await refusal({ examples: [] })).toBe("dataset-invalid: no examples");
  expect(await refusal({ examples: [example, example] })).toBe(
    "dataset-invalid: repeated ids: `e0`",
  );
  expect(await refusal({ concurrency: 0 })).toBe("option-invalid: 0");
  expect(await refusal({ repetitions: 1.5 })).toBe("option-invalid: 1.5");
  expect(await refusal({ faultRetries: -1 })).toBe("option-invalid: -1");
  expect(await refusal({ resamples: NaN })).toBe("option-invalid: NaN");
  expect(await refusal({ coverageFloor: 95 })).toBe("option-invalid: 95");
});

test("keeps what a program does to its input from repetitions, metric and caller", async () => {
  interface Nested extends Held {
    readonly turns: { text: string }[];
  }
  const seen: string[] = [];
  const program = echo((input) => {
    const { turns } = input as Nested;
    seen.push(turns.map(({ text }) => text).join(" "));
    turns.push({ text: "more" });
    for (const turn of turns) turn.text = "changed";
    return input;
  });
  const input: Nested = { value: 1, turns: [{ text: "hello" }] };
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ example }) => scored((example.input as Nested).turns.length),
  });
  const { value } = await evaluate({
    program,
    examples: [{ id: "e", input, labels: {} }],
    metric: judge,
    lm: unusedLm,
    repetitions: 3,
    resamples: 0,
  });
  expect(seen).toEqual(["hello", "hello", "hello"]);
  expect(value).toBe(1);
  expect(input.turns).toEqual([{ text: "hello" }]);
});
