import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/contract/index.ts";
import { EspalierError } from "../../src/errors/index.ts";
import type { EvaluationEvent } from "../../src/evaluate/index.ts";
import { evaluate, EvaluationStopped } from "../../src/evaluate/index.ts";
import { metric, scored } from "../../src/metric/index.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { untilAborted } from "../support/until-aborted.ts";
import type { Held } from "./programs.ts";
import { echo, examplesOf, failureWith, identity, unusedLm } from "./programs.ts";

const examples = examplesOf([0, 1, 2, 3, 4, 5, 6, 7]);
const base = { examples, metric: identity, lm: unusedLm, resamples: 0, concurrency: 2 };

async function stoppedBy(run: () => Promise<unknown>): Promise<EvaluationStopped> {
  const error = await thrownBy(run);
  if (EvaluationStopped.isInstance(error)) return error;
  throw error;
}

const ids = ({ rows }: EvaluationStopped) => rows.map(({ exampleId }) => exampleId);

test("ends on an error of the program, names the example, aborts what runs and starts no more", async () => {
  const started: string[] = [];
  const aborted: string[] = [];
  const cause = new TypeError("x is not a function");
  const program = echo(async (input, { exampleId = "", signal }) => {
    started.push(exampleId);
    if (exampleId === "e2") throw cause;
    if (exampleId === "e3") {
      await untilAborted(signal).catch((error: unknown) => {
        aborted.push(exampleId);
        throw error;
      });
    }
    return input;
  });
  const error = await stoppedBy(() => evaluate({ ...base, program }));
  expect(error.code).toBe("program-failed");
  expect(error.message).toBe(
    "The evaluation stopped: the program, the metric or their configuration is wrong (at example `e2`). Got: TypeError: x is not a function. 2 of 8 examples are finished and kept in `rows`.",
  );
  expect(error.cause).toBe(cause);
  expect(error.exampleId).toBe("e2");
  expect(ids(error)).toEqual(["e0", "e1"]);
  expect(started).toEqual(["e0", "e1", "e2", "e3"]);
  expect(aborted).toEqual(["e3"]);
});

test("ends when a refusal by the server is swallowed, since no example can fare better", async () => {
  const refusal: Failure = { kind: "program", code: "lm-not-found", message: "No model `x`." };
  const program = echo(undefined, ({ exampleId }) => (exampleId === "e1" ? [refusal] : []));
  const error = await stoppedBy(() => evaluate({ ...base, program }));
  expect([error.code, error.report.got]).toEqual(["lm-not-found", "No model `x`."]);
});

test("lets a program catch an error of its own", async () => {
  const own: Failure = { kind: "program", code: "program-failed", message: "Error: no luck" };
  const program = echo(undefined, () => [own]);
  expect((await evaluate({ ...base, program })).counts.scored).toBe(8);
});

test("stops at an exhausted budget, also a swallowed one, and lets what runs finish", async () => {
  const spent: Failure = { kind: "budget", code: "budget-exhausted", message: "100 calls" };
  for (const isSwallowed of [true, false]) {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const program = echo(
      async (input, { exampleId, signal }) => {
        if (exampleId === "e1") {
          await stopped;
          signal?.throwIfAborted();
        }
        if (exampleId === "e2") void setImmediate().then(stop);
        if (exampleId === "e2" && !isSwallowed) throw failureWith("budget-exhausted");
        return input;
      },
      ({ exampleId }) => (exampleId === "e2" && isSwallowed ? [spent] : []),
    );
    const error = await stoppedBy(() => evaluate({ ...base, program }));
    expect(error.code).toBe("budget-exhausted");
    expect(error.exampleId).toBe("e2");
    expect(ids(error)).toEqual(["e0", "e1"]);
  }
});

test("stops when the caller aborts, with the caller's reason and the finished rows", async () => {
  const controller = new AbortController();
  const reason = new DOMException("enough", "AbortError");
  const events: EvaluationEvent[] = [];
  const program = echo(async (input, { exampleId, signal }) => {
    if (exampleId === "e3") controller.abort(reason);
    await setImmediate(undefined, { ...(signal && { signal }) });
    return input;
  });
  const error = await stoppedBy(() =>
    evaluate({
      ...base,
      program,
      concurrency: 1,
      signal: controller.signal,
      onEvent: (event) => void events.push(event),
    }),
  );
  expect(error.code).toBe("aborted");
  expect(error.message).toBe("The evaluation was aborted; 3 of 8 examples are finished.");
  expect(error.cause).toBe(reason);
  expect(ids(error)).toEqual(["e0", "e1", "e2"]);
  expect(events.at(-1)).toMatchObject({ kind: "evaluation-end", state: "stopped", done: 3 });
});

const abortable = (reason?: unknown) => () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(reason) };
};

describe.each([
  ["the default", abortable()],
  ["a timeout", () => ({ signal: AbortSignal.timeout(1), abort: () => {} })],
  ["a string", abortable("stop")],
  ["an error of the caller's", abortable(new RangeError("enough"))],
])("aborted for the reason of %s", (_what, makeAbort) => {
  const aborts = (signal: AbortSignal | undefined): Promise<unknown> =>
    new Promise((_resolve, reject) => {
      const fire = (): void => reject(signal?.reason);
      if (signal?.aborted) fire();
      else signal?.addEventListener("abort", fire);
    });

  test.each(["passes on", "swallows"])("scores nothing that a program %s", async (way) => {
    const { signal, abort } = makeAbort();
    const program = echo(async (input, options) => {
      abort();
      await aborts(options.signal).catch((error: unknown) => {
        if (way === "passes on") throw error;
      });
      return input;
    });
    const error = await stoppedBy(() => evaluate({ ...base, program, signal }));
    expect([error.code, error.rows, error.cause]).toEqual(["aborted", [], signal.reason]);
  });

  test.each(["passes on", "swallows"])("scores nothing that a metric %s", async (way) => {
    const { signal, abort } = makeAbort();
    const judge = metric<Held, Held>({
      name: "m",
      version: "1",
      score: async (args) => {
        abort();
        await aborts(args.signal).catch((error: unknown) => {
          if (way === "passes on") throw error;
        });
        return scored(1);
      },
    });
    const error = await stoppedBy(() =>
      evaluate({ ...base, program: echo(), metric: judge, signal }),
    );
    expect([error.code, error.rows, error.cause]).toEqual(["aborted", [], signal.reason]);
  });
});

test("runs nothing under a signal that has already fired", async () => {
  let runs = 0;
  const program = echo((input) => {
    runs++;
    return input;
  });
  const error = await stoppedBy(() => evaluate({ ...base, program, signal: AbortSignal.abort() }));
  expect([error.code, error.rows.length, runs]).toEqual(["aborted", 0, 0]);
});

const judgeWith = (score: () => never) => metric<Held, Held>({ name: "m", version: "1", score });

test("blames the metric when it throws", async () => {
  const thrown = new RangeError("bad label");
  const judge = judgeWith(() => {
    throw thrown;
  });
  const error = await stoppedBy(() => evaluate({ ...base, program: echo(), metric: judge }));
  expect([error.code, error.exampleId, error.cause]).toEqual(["metric-failed", "e0", thrown]);
  expect(error.message).toContain("RangeError: bad label");
});

test("blames who throws an abortion that nobody asked for", async () => {
  const thrown = new DOMException("This operation was aborted", "AbortError");
  const raise = () => {
    throw thrown;
  };
  const byMetric = await stoppedBy(() =>
    evaluate({ ...base, program: echo(), metric: judgeWith(raise) }),
  );
  const byProgram = await stoppedBy(() => evaluate({ ...base, program: echo(raise) }));
  expect([byMetric.code, byProgram.code]).toEqual(["metric-failed", "program-failed"]);
  for (const error of [byMetric, byProgram]) {
    expect(error.cause).toBe(thrown);
    expect(error.message).toContain("AbortError: This operation was aborted");
  }
});

test("blames a metric that gives an abortion of its own as the reason for no score", async () => {
  const failure: Failure = { kind: "aborted", code: "aborted", message: "my own timeout" };
  const judge = judgeWith(() => ({ kind: "unscored", failure }) as never);
  const error = await stoppedBy(() => evaluate({ ...base, program: echo(), metric: judge }));
  expect([error.code, error.report.got]).toEqual(["metric-failed", "my own timeout"]);
});

test("blames a metric whose score of a format failure is a promise that rejects", async () => {
  const program = echo(() => {
    throw failureWith("output-empty");
  });
  const judge = {
    ...identity,
    scoreFormatFailure: () => Promise.reject(new Error("no such file")) as never,
  };
  const error = await stoppedBy(() => evaluate({ ...base, program, metric: judge }));
  expect([error.code, error.report.got]).toEqual(["metric-failed", "Error: no such file"]);
});

test.each([
  ["nothing", undefined],
  ["a bare number", 0.5],
  ["a NaN", { kind: "scored", value: NaN }],
  ["an infinite objective", { kind: "scored", value: 1, objectives: { a: Infinity } }],
  ["another kind", { kind: "perfect" }],
])("blames the metric when it returns %s", async (_what, score) => {
  const judge = judgeWith(() => score as never);
  const error = await stoppedBy(() => evaluate({ ...base, program: echo(), metric: judge }));
  expect(error.code).toBe("metric-failed");
  expect(error.message).toContain("The metric did not return a score.");
});

test("blames the metric when its aggregate is not a number", async () => {
  const judge = { ...identity, aggregate: () => NaN };
  const error = await thrownBy(() => evaluate({ ...base, program: echo(), metric: judge }));
  expect(error.message).toContain("The aggregate of metric `identity` is not a finite number.");
});

test("stops when the metric's own budget is exhausted", async () => {
  const judge = metric<Held, Held>({
    name: "m",
    version: "1",
    score: ({ example, output }) => {
      if (example.id === "e4") throw failureWith("budget-exhausted");
      return scored(output.value);
    },
  });
  const error = await stoppedBy(() => evaluate({ ...base, program: echo(), metric: judge }));
  expect([error.code, error.exampleId]).toEqual(["budget-exhausted", "e4"]);
});

test("ends with what an observer throws", async () => {
  const onEvent = ({ kind }: EvaluationEvent) => {
    if (kind === "example-end") throw new Error("disk full");
  };
  const error = await stoppedBy(() => evaluate({ ...base, program: echo(), onEvent }));
  expect(error.message).toContain("disk full");
});

test("is told apart from other errors of the framework", () => {
  expect(EvaluationStopped.isInstance(failureWith("aborted"))).toBe(false);
  const error = new EvaluationStopped({ code: "aborted", problem: "x", total: 1, rows: [] });
  expect(EspalierError.isInstance(error) && EvaluationStopped.isInstance(error)).toBe(true);
});
