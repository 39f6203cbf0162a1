import { describe, expect, it } from "vitest";
import type { LanguageModel, LmCallOptions } from "espalier";
import { predict, program, signature, text } from "espalier";
import { evaluate } from "espalier/evaluate";
import { connect, named } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import type { ScriptedReply } from "../support/scripted-lm.ts";
import { scriptedLm } from "../support/scripted-lm.ts";

const echo = program({
  name: "echo",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: {
    answer: predict(
      signature({
        name: "answer",
        instruction: "Answer.",
        input: { question: text("question") },
        output: { answer: text("answer") },
      }),
    ),
  },
  forward: async (given, { predictors }) => predictors.answer(given),
});

const grade = predict(
  signature({
    name: "grade",
    instruction: "Grade.",
    input: { claim: text("claim") },
    output: { verdict: text("verdict") },
  }),
);

interface Given {
  readonly lm?: LanguageModel;
  readonly output: { readonly answer: string };
}

/** Three claims of an answer, judged side by side. */
const judged = async ({ lm, output }: Given): Promise<number> => {
  if (lm === undefined) throw new Error("no LM");
  const verdicts = await Promise.all(
    [0, 1, 2].map((index) =>
      grade.run({ claim: `${output.answer} ${index}` }, { lm: named(lm, `claim[${index}]`) }),
    ),
  );
  return verdicts.filter(({ verdict }) => verdict === "yes").length / 3;
};

const metricOf = (judge: (given: Given) => Promise<number>) =>
  metric<{ readonly question: string }, { readonly answer: string }, unknown>({
    name: "judged",
    version: "1",
    score: async (given) => scored(await judge(given), "told"),
  });

const examples = ["a", "b"].map((id) => ({ id, input: { question: id }, labels: {} }));

const answered = JSON.stringify({ answer: "it" });
const yes = JSON.stringify({ verdict: "yes" });

/** Evaluates with a judge behind a server of its own. */
async function evaluated(
  judge: (given: Given) => Promise<number>,
  reply: (index: number) => ScriptedReply,
  options: { readonly repetitions?: number; readonly faultRetries?: number } = {},
) {
  await using student = await scriptedLm(() => answered);
  await using server = await scriptedLm((_, index) => reply(index));
  await using judgeLm = connect({
    baseUrl: server.url,
    model: "judge",
    retry: { attempts: 1 },
  });
  const heard: LmCallOptions[] = [];
  const listening: LanguageModel = {
    identity: judgeLm.identity,
    doGenerate: (request, given = {}) => {
      heard.push(given);
      return judgeLm.doGenerate(request, given);
    },
  };
  const { rows, coverage } = await evaluate({
    program: echo,
    examples,
    metric: metricOf(judge),
    lm: student.lm,
    judgeLm: listening,
    ...options,
  });
  return { rows, coverage, heard, received: server.received, asked: student.received };
}

const failing: ScriptedReply = { status: 503, body: '{"error":{"message":"busy"}}' };

describe("a metric that asks the LM it is lent", () => {
  it("asks the judges' LM, in the role of a judge, by example and path", async () => {
    const { rows, heard } = await evaluated(judged, () => yes);
    expect(rows.map(({ score }) => score)).toMatchObject([{ value: 1 }, { value: 1 }]);
    expect(
      heard.map(({ role, exampleId, callPath }) => `${role} ${exampleId} ${callPath}`),
    ).toEqual(
      ["a", "b"].flatMap((id) =>
        [0, 1, 2].map((index) => `judge ${id} judge/claim[${index}]/grade`),
      ),
    );
  });

  it("asks the student's LM where there is no other", async () => {
    await using server = await scriptedLm(({ response_format: format }) =>
      format?.json_schema.name === "grade" ? yes : answered,
    );
    const { value } = await evaluate({
      program: echo,
      examples,
      metric: metricOf(judged),
      lm: server.lm,
    });
    expect(value).toBe(1);
    expect(server.received).toHaveLength(8);
  });

  it("gives each call a seed of its own, the same whichever is answered first", async () => {
    const seeds = async (delays: readonly number[]): Promise<readonly string[]> => {
      const { received } = await evaluated(
        judged,
        (index) => ({ content: yes, delayMs: delays[index % 3] ?? 0 }),
        { repetitions: 2 },
      );
      return received.map(({ seed, messages }) => `${messages.at(-1)?.content} ${seed}`).toSorted();
    };
    const first = await seeds([0, 10, 20]);
    expect(new Set(first).size).toBe(12);
    expect(await seeds([20, 10, 0])).toEqual(first);
  });

  it("leaves an example unscored that the judge cannot be asked about, and asks the student once", async () => {
    const { rows, coverage, asked, received } = await evaluated(judged, () => failing, {
      faultRetries: 1,
    });
    expect(rows.map(({ score }) => score)).toMatchObject([
      { kind: "unscored", failure: { kind: "infrastructure", code: "lm-unavailable" } },
      { kind: "unscored" },
    ]);
    expect(coverage).toBe(0);
    expect(asked).toHaveLength(2);
    expect(received.length).toBeGreaterThanOrEqual(4);
  });

  it("does not let a metric make a zero of such a fault", async () => {
    const swallowing = (given: Given): Promise<number> => judged(given).catch(() => 0);
    const { rows } = await evaluated(swallowing, () => failing, { faultRetries: 0 });
    expect(rows.map(({ score }) => score.kind)).toEqual(["unscored", "unscored"]);
  });

  it("scores once the judge answers again, as if it had at first", async () => {
    const clean = await evaluated(judged, () => yes);
    // All six may fall on one example, one at a time.
    const { rows } = await evaluated(judged, (index) => (index < 6 ? failing : yes), {
      faultRetries: 6,
    });
    expect(rows.map(({ score }) => score)).toEqual(clean.rows.map(({ score }) => score));
  });

  it("leaves an example unscored whose judge writes what cannot be read, and goes on", async () => {
    const { rows } = await evaluated(judged, () => "hm");
    expect(rows.map(({ score }) => score)).toMatchObject([
      { kind: "unscored", failure: { kind: "format" } },
      { kind: "unscored", failure: { kind: "format" } },
    ]);
  });

  it("stops where the judge's server refuses the credentials, whatever the metric makes of it", async () => {
    const refusing = { status: 401, body: '{"error":{"message":"who are you"}}' };
    const swallowing = (given: Given): Promise<number> => judged(given).catch(() => 0);
    for (const judge of [judged, swallowing]) {
      await expect(evaluated(judge, () => refusing)).rejects.toMatchObject({
        code: "metric-failed",
      });
    }
  });
});
