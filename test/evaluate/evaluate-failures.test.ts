import { expect, test } from "vitest";
import type { Failure, PredictorTrace, Runnable, Trace } from "../../src/contract/index.ts";
import type { ErrorCode } from "../../src/errors/index.ts";
import { evaluate } from "../../src/evaluate/index.ts";
import { metric, notApplicable, scored, unscored } from "../../src/metric/index.ts";
import type { Held } from "./programs.ts";
import { echo, examplesOf, failureWith, identity, traceOf, unusedLm } from "./programs.ts";

const base = { metric: identity, lm: unusedLm, resamples: 0, examples: examplesOf([1, 1, 1, 1]) };
const stalled: Failure = { kind: "infrastructure", code: "lm-stalled", message: "stalled" };

/** Fails example `e1` in its first `times` tries. */
function failing(
  code: ErrorCode,
  times: number,
): { program: Runnable<Held, Held>; tries: string[] } {
  const tries: string[] = [];
  const program = echo((input, { exampleId = "" }) => {
    tries.push(exampleId);
    if (exampleId === "e1" && tries.filter((id) => id === "e1").length <= times) {
      throw failureWith(code);
    }
    return input;
  });
  return { program, tries };
}

test("tries a fault again after all others, and then equals a run without faults", async () => {
  const { program, tries } = failing("lm-server-error", 2);
  const { value, coverage, rows } = await evaluate({ ...base, program, concurrency: 1 });
  expect(tries).toEqual(["e0", "e1", "e2", "e3", "e1", "e1"]);
  expect({ value, coverage, attempts: rows.map(({ attempts }) => attempts) }).toEqual({
    value: 1,
    coverage: 1,
    attempts: [1, 3, 1, 1],
  });
});

test("leaves an example unscored when its faults do not end, and never scores it 0", async () => {
  const { program, tries } = failing("lm-unreachable", 99);
  const evaluation = await evaluate({ ...base, program });
  expect(tries.filter((id) => id === "e1").length).toBe(3);
  expect(evaluation).toMatchObject({
    value: 1,
    coverage: 0.75,
    isAcceptable: false,
    counts: { scored: 3, notApplicable: 0, unscored: 1, formatFailures: 0 },
  });
  const [, row] = evaluation.rows;
  expect(row).toMatchObject({
    score: { kind: "unscored", failure: { code: "lm-unreachable" } },
    failure: { code: "lm-unreachable" },
    attempts: 3,
  });
  expect(row).not.toHaveProperty("output");
});

test("is acceptable from the coverage floor up", async () => {
  const { program } = failing("lm-stalled", 99);
  const at = async (coverageFloor: number) =>
    (await evaluate({ ...base, program, coverageFloor, faultRetries: 0 })).isAcceptable;
  expect([await at(0.75), await at(0.76)]).toEqual([true, false]);
});

test("has no value and is not acceptable when nothing could be scored", async () => {
  const program = echo(() => {
    throw failureWith("lm-unreachable");
  });
  expect(await evaluate({ ...base, program, coverageFloor: 0, resamples: 10 })).toMatchObject({
    value: null,
    interval: null,
    coverage: 0,
    isAcceptable: false,
  });
});

test("does not trust an answer made under a fault that the program swallowed", async () => {
  const program = echo(undefined, ({ exampleId }) => (exampleId === "e2" ? [null, stalled] : []));
  const { rows } = await evaluate({ ...base, program });
  expect(rows[2]).toMatchObject({ score: { kind: "unscored", failure: stalled }, attempts: 3 });
  expect(rows[2]).not.toHaveProperty("output");
});

test("finds a swallowed fault in nested scopes, and in a correction cut short", async () => {
  const correctionCut: PredictorTrace = {
    kind: "predictor",
    path: "hop/answer",
    predictor: "answer",
    signature: "answer",
    inputs: {},
    failure: { kind: "format", code: "output-unparseable", message: "unparseable" },
    calls: [
      {
        messages: [],
        seed: 0,
        rawText: null,
        reasoning: null,
        finishReason: null,
        usage: null,
        startMs: 0,
        latencyMs: 0,
        retries: 0,
        source: null,
        failure: stalled,
      },
    ],
    startMs: 0,
    latencyMs: 0,
  };
  const trace: Trace = {
    ...traceOf({}),
    children: [{ kind: "scope", path: "hop", startMs: 0, children: [correctionCut] }],
  };
  const program: Runnable<Held, Held> = {
    ...echo(),
    attempt: (input) => Promise.resolve({ state: "completed", output: input, trace }),
  };
  const { counts } = await evaluate({ ...base, program, faultRetries: 0 });
  expect(counts.unscored).toBe(4);
});

test("takes a crash that follows a swallowed fault for the fault", async () => {
  const program = echo(
    () => {
      throw new TypeError("Cannot read properties of undefined");
    },
    () => [stalled],
  );
  expect((await evaluate({ ...base, program })).counts.unscored).toBe(4);
});

test("lets a program catch format failures and abort calls of its own", async () => {
  const program = echo(undefined, () => [
    { kind: "format", code: "output-empty", message: "empty" },
    { kind: "aborted", code: "aborted", message: "lost the race" },
  ]);
  expect((await evaluate({ ...base, program })).counts).toEqual({
    scored: 4,
    notApplicable: 0,
    unscored: 0,
    formatFailures: 0,
  });
});

test("scores format failures as the metric says and counts them apart", async () => {
  const { program, tries } = failing("output-unparseable", 99);
  const evaluation = await evaluate({ ...base, program });
  expect(evaluation).toMatchObject({
    value: 0.75,
    coverage: 1,
    counts: { scored: 4, unscored: 0, formatFailures: 1 },
  });
  expect(evaluation.rows[1]).toMatchObject({
    score: { kind: "scored", value: 0, feedback: "Planted output-unparseable." },
    failure: { kind: "format" },
  });
  expect(tries.length).toBe(4);

  const lenient = { ...identity, scoreFormatFailure: () => scored(0.5) };
  expect((await evaluate({ ...base, program, metric: lenient })).value).toBe(0.875);
});

test("leaves examples to which the metric does not apply out of mean and coverage", async () => {
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ example, output }) =>
      example.id === "e0" ? notApplicable("no labels") : scored(output.value),
  });
  expect(await evaluate({ ...base, program: echo(), metric: judge })).toMatchObject({
    value: 1,
    coverage: 1,
    isAcceptable: true,
    counts: { scored: 3, notApplicable: 1 },
  });
});

test.each(["returns", "throws"])(
  "judges again, without a new run, when the metric %s a fault",
  async (way) => {
    let runs = 0;
    const program = echo((input) => {
      runs++;
      return input;
    });
    let judgements = 0;
    const judge = metric<Held, Held>({
      name: "judge",
      version: "1",
      score: ({ output }) => {
        judgements++;
        if (judgements > 2) return scored(output.value);
        if (way === "throws") throw failureWith("lm-stalled");
        return unscored(stalled);
      },
    });
    const examples = examplesOf([1]);
    const { rows } = await evaluate({ ...base, program, metric: judge, examples });
    expect({ runs, judgements }).toEqual({ runs: 1, judgements: 3 });
    expect(rows[0]).toMatchObject({ score: { value: 1 }, attempts: 3 });
  },
);

test("keeps the answer of a row that the metric could not judge", async () => {
  const judge = metric<Held, Held>({ name: "m", version: "1", score: () => unscored(stalled) });
  const { rows } = await evaluate({ ...base, program: echo(), metric: judge });
  expect(rows[0]).toMatchObject({ score: { kind: "unscored" }, output: { value: 1 } });
});

test("leaves one row unscored when its judge's reply cannot be used", async () => {
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ example, output }) => {
      if (example.id === "e1") throw failureWith("output-unparseable");
      return scored(output.value);
    },
  });
  const { rows, counts } = await evaluate({ ...base, program: echo(), metric: judge });
  expect(counts).toMatchObject({ scored: 3, unscored: 1, formatFailures: 0 });
  expect(rows[1]).toMatchObject({
    score: { kind: "unscored", failure: { code: "output-unparseable" } },
    output: { value: 1 },
    attempts: 1,
  });
});

test("waits for a score of a format failure that is a promise", async () => {
  const { program } = failing("output-unparseable", 99);
  const judge = { ...identity, scoreFormatFailure: () => Promise.resolve(scored(0.5)) as never };
  expect((await evaluate({ ...base, program, metric: judge })).value).toBe(0.875);
});
