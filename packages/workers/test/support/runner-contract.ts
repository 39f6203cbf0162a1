import { expect, it } from "vitest";
import { rehearsalLm } from "@espalier/rehearsal";
import type { Example, LanguageModel, Study } from "../../../../src/index.ts";
import { EspalierError, predict, program, signature, study, text } from "../../../../src/index.ts";
import type { Evaluation } from "../../../../src/evaluate/index.ts";
import { evaluate, EvaluationStopped } from "../../../../src/evaluate/index.ts";
import { connect } from "../../../../src/lm/index.ts";
import { metric, scored } from "../../../../src/metric/index.ts";
import { gepa } from "../../../../src/optimizer/index.ts";
import type { Runner } from "../../../../src/runner/index.ts";
import { gradedStudy } from "../../../../test/optimizer/support/graded-places.ts";
import { compiledPart, runPlaces } from "../../../../test/optimizer/support/run-places.ts";
import { placeStudy } from "../../../../test/optimizer/support/place-search.ts";
import { scriptedLm } from "../../../../test/support/scripted-lm.ts";
import type { WorkerGiven } from "./queued.ts";

type Given = Omit<WorkerGiven, "url">;
type Opened = { readonly runner: Runner } & AsyncDisposable;

/** What every runner does. */
export function runnerContract(open: (given: Given) => Promise<Opened>): void {
  it("gives the rows that this process would, with reranker and judge", async () => {
    const lm = rehearsalLm();
    await using opened = await open({ study: gradedStudy, lm });
    const there = await evaluateOn(gradedStudy, lm, opened.runner);
    const here = await evaluateOn(gradedStudy, lm);
    expect(timeless(there)).toEqual(timeless(here));
    expect(there.counts.scored).toBe(14);
  });

  it.each([{}, { lmCalls: 260 }, { tokens: 60_000 }, { lmCalls: 23 }])(
    "gives the search that this process would, under the caps %o",
    async (caps) => {
      const lm = rehearsalLm();
      const options = { optimizer: gepa(), budget: { metricCalls: 90, ...caps }, concurrency: 8 };
      const here = await ended(placeStudy, { lm, ...options });
      await using opened = await open({ study: placeStudy, lm });
      const there = await ended(placeStudy, { lm, runner: opened.runner, ...options });
      expect(there).toEqual(here);
    },
  );

  it("runs an example again after a fault, and asks the program nothing twice for a judge's", async () => {
    const asked = { broken: 0, judge: 0, others: 0 };
    await using server = await scriptedLm(({ messages }) => {
      const said = JSON.stringify(messages);
      if (said.includes("Grade.")) {
        asked.judge++;
        return asked.judge <= 1 ? { status: 500 } : JSON.stringify({ answer: "yes" });
      }
      if (said.includes("broken")) {
        asked.broken++;
        return { status: 500 };
      }
      asked.others++;
      return JSON.stringify({ answer: "it" });
    });
    await using lm = connect({ baseUrl: server.url, model: "m", retry: { attempts: 1 } });
    await using opened = await open({ study: echoStudy(), lm });
    const { rows } = await evaluateOn(echoStudy(), lm, opened.runner);
    expect(rows.map(({ score }) => score.kind)).toEqual(["scored", "unscored", "scored"]);
    expect(rows.map(({ attempts }) => attempts).toSorted()).toEqual([1, 2, 3]);
    expect(asked).toEqual({ broken: 3, judge: 3, others: 2 });
  });

  it("ends with the error of the program and the example's id", async () => {
    const graded = echoStudy((answer) => {
      if (answer === "bad") throw new TypeError("cannot grade this");
      return 1;
    });
    await using server = await scriptedLm(({ messages }) =>
      JSON.stringify({ answer: JSON.stringify(messages).includes("broken") ? "bad" : "it" }),
    );
    await using lm = connect({ baseUrl: server.url, model: "m" });
    await using opened = await open({ study: graded, lm });
    const stopped = await evaluateOn(graded, lm, opened.runner).catch((error: unknown) => error);
    if (!EvaluationStopped.isInstance(stopped)) throw stopped;
    expect(stopped.message).toContain("cannot grade this");
    expect(stopped.message).toContain("`e1`");
  });

  it("stops what is in flight when the signal fires", async () => {
    const begun = Promise.withResolvers<void>();
    await using server = await scriptedLm(async () => {
      begun.resolve();
      return { isUnanswered: true };
    });
    await using lm = connect({ baseUrl: server.url, model: "m" });
    await using opened = await open({ study: echoStudy(), lm });
    const control = new AbortController();
    const running = evaluateOn(echoStudy(), lm, opened.runner, control.signal);
    await begun.promise;
    control.abort(new Error("enough"));
    await expect(running).rejects.toMatchObject({ code: "aborted" });
  });
}

async function ended(
  searched: typeof placeStudy,
  options: NonNullable<Parameters<typeof runPlaces>[0]>,
): Promise<object> {
  // A worker judges with its own metric, so that rollouts are not counted here.
  return runPlaces(options, searched).then(compiledPart, (error: unknown) => ({
    error: EspalierError.isInstance(error) ? error.code : error,
  }));
}

function evaluateOn<TInput, TOutput, TLabels>(
  {
    program: tested,
    trainset,
    objective,
  }: Pick<Study<TInput, TOutput, TLabels>, "program" | "trainset" | "objective">,
  lm: LanguageModel,
  runner?: Runner,
  signal?: AbortSignal,
): Promise<Evaluation<TOutput>> {
  return evaluate({
    program: tested,
    examples: trainset.splits.val,
    metric: objective,
    lm,
    concurrency: 4,
    ...(runner && { runner }),
    ...(signal && { signal }),
  });
}

/** Without times, and without where a reply came from: both depend on what else goes on. */
function timeless(evaluation: Evaluation): unknown {
  const times = new Set(["seconds", "latencyMs", "startMs", "startedAtMs", "source"]);
  return JSON.parse(
    JSON.stringify(evaluation, (key, value: unknown) => (times.has(key) ? undefined : value)),
  ) as unknown;
}

const ask = (instruction: string) =>
  predict(
    signature({
      name: "ask",
      instruction,
      input: { question: text("question") },
      output: { answer: text("answer") },
    }),
  );

/** Asks once for an answer, and once for a grade of it. */
function echoStudy(grade: (answer: string) => number = () => 1): Study {
  const echo = program({
    name: "echo",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { answer: ask("Answer.") },
    forward: async (given, { predictors }) => predictors.answer(given),
  });
  const grader = ask("Grade.");
  const examples = ["first", "broken", "last"].map(
    (question, index): Example<{ question: string }> => ({
      id: `e${index}`,
      input: { question },
      labels: {},
    }),
  );
  return study({
    name: "echo",
    program: echo,
    objective: metric<{ question: string }, { answer: string }, unknown>({
      name: "graded",
      version: "1",
      score: async ({ lm, output, example }) => {
        if (lm === undefined) throw new Error("no LM");
        const value = grade(output.answer);
        await grader.run({ question: example.input.question }, { lm });
        return scored(value);
      },
    }),
    trainset: {
      name: "three",
      version: "1",
      licence: "CC0-1.0",
      source: "here",
      checksum: "",
      splits: { train: [], val: examples, test: [] },
    },
  });
}
