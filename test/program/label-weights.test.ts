import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { PredictorTrace } from "espalier";
import { labelWeight, predict, program, signature, text } from "espalier";
import { openAiCompatible } from "espalier/lm";
import { chatPath, vllmServer } from "../support/vllm-server.ts";
import { silentReply, spelledReply } from "./decision/spelled-reply.ts";

const classify = signature({
  name: "classify",
  instruction: "Classify.",
  input: { question: text("question") },
  output: { label: z.enum(["FULL", "PART", "NONE"]) },
});
const step = predict(classify, { probabilities: { label: {} } });
const routed = program({
  name: "routed",
  version: "1",
  input: { question: text("question") },
  output: { label: z.enum(["FULL", "PART", "NONE"]) },
  predictors: { classify: step },
  parameters: {
    part: labelWeight({ predictor: "classify", field: "label", label: "PART" }),
    none: labelWeight({ predictor: "classify", field: "label", label: "NONE" }, { max: 10 }),
  },
  forward: ({ question }, { predictors }) => predictors.classify({ question }),
});

describe("weights of labels", () => {
  it.each([
    [{}, "PART"],
    [{ part: 2 }, "FULL"],
    [{ part: 4 }, "PART"],
    [{ none: 8 }, "NONE"],
    [{ part: 5, none: 10 }, "NONE"],
  ])("decide with %j", async (values, decided) => {
    // A sampled reply: the model wrote PART, which is not the likeliest.
    const { output, trace } = await run(values);
    expect(output).toEqual({ label: decided });
    const [call] = trace.children as PredictorTrace[];
    expect(call?.outputs).toEqual({ label: decided });
    expect(call?.decisions?.["label"]).toMatchObject({ written: "PART", decided });
    expect(call?.calls[0]?.rawText).toBe('{"label":"PART"}');
  });

  it("change nothing where the reply has no probabilities", async () => {
    const { output } = await run({ none: 10 }, silentReply('{"label":"PART"}'));
    expect(output).toEqual({ label: "PART" });
  });

  it("do not change gold that takes the place of the call", async () => {
    const gold = { classify: { outputs: { label: "FULL" } } };
    const weighed = routed.with([{ kind: "parameter", path: "none", value: 10 }]);
    const lm = openAiCompatible({ baseUrl: "http://127.0.0.1:9/v1", model: "none" });
    expect(await weighed.run({ question: "?" }, { lm, gold })).toEqual({ label: "FULL" });
  });

  it.each([
    ["of a predictor that asks for none", { classify: predict(classify) }, ["PART"]],
    ["of an unknown label", { classify: step }, ["SOME"]],
    ["twice of one label", { classify: step }, ["PART", "PART"]],
  ])("are refused %s", (_, predictors, labels) => {
    const parameters = Object.fromEntries(
      labels.map((label, index) => [
        `weight${index}`,
        labelWeight({ predictor: "classify", field: "label", label }),
      ]),
    );
    expect(() =>
      program({
        name: "routed",
        version: "1",
        input: { question: text("question") },
        output: { label: z.string() },
        predictors,
        parameters,
        forward: async ({ question }, call) => call.predictors.classify({ question }),
      }),
    ).toThrow(/cannot be used as a label weight/);
  });
});

async function run(
  values: Readonly<Record<string, number>>,
  answer = spelledReply(['{"label":"', { PART: 0.2, FULL: 0.6, NONE: 0.1 }, '"}']),
) {
  await using server = await vllmServer();
  server.always(chatPath, answer);
  const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
  const candidate = Object.entries(values).map(
    ([path, value]) => ({ kind: "parameter", path, value }) as const,
  );
  const attempt = await routed.with(candidate).attempt({ question: "?" }, { lm });
  if (attempt.state === "failed") throw attempt.error;
  return attempt;
}
