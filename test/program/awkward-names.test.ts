import { describe, expect, it } from "vitest";
import { int, predict, program, signature, text } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";

// Names that every object inherits, and texts that look like our own marks.
describe("awkward names and texts", () => {
  const step = signature({
    name: "step",
    instruction: "The instruction stands here.",
    input: { question: text("question", "The instruction stands here.") },
    output: { answer: text("answer") },
  });

  it("an instruction or description that reads like a placeholder stays as it is", async () => {
    await using server = await scriptedLm(() => '{"answer":"yes"}');
    await predict(step).run({ question: "why?" }, { lm: server.lm });
    const [system, user] = server.received[0]?.messages ?? [];
    expect(system?.content).toContain(
      "<task_definition>\nThe instruction stands here.\n</task_definition>",
    );
    expect(user?.content).toBe("Question: why?\n");
  });

  it.each(["constructor", "toString", "hasOwnProperty"])("a field cannot be called %s", (name) => {
    expect(() => signature({ ...step, output: { [name]: text("answer") } })).toThrow(
      /a name that is not a property of `Object.prototype`/,
    );
  });

  it("are not found in components or parameters that lack them", () => {
    const plain = program({
      name: "plain",
      version: "1",
      input: { question: text("question") },
      output: { answer: text("answer") },
      predictors: {
        answer: predict(step),
      },
      parameters: { hops: int({ default: 1, min: 1, max: 2 }) },
      forward: ({ question }, { predictors }) => predictors.answer({ question }),
    });
    for (const path of ["constructor", "toString"]) {
      expect(() => plain.with([{ kind: "parameter", path, value: 1 }])).toThrow(
        /no tunable parameter/,
      );
      expect(() => plain.with([{ kind: "instruction", path, value: "x" }])).toThrow(
        /no instruction component/,
      );
      expect(() =>
        plain.with([{ kind: "fieldDescription", path: `answer.${path}`, value: "x" }]),
      ).toThrow(/no fieldDescription component/);
      expect(() => plain.render(path as never, {})).toThrow(/has no predictor/);
    }
  });

  it("an abort with a reason of the caller's own is an abort", async () => {
    await using server = await scriptedLm(() => ({ isUnanswered: true }));
    const asking = program({
      name: "asking",
      version: "1",
      input: step.input,
      output: step.output,
      predictors: { step: predict(step) },
      forward: (given, { predictors }) => predictors.step(given),
    });
    const controller = new AbortController();
    const running = asking.attempt({ question: "q" }, { lm: server.lm, signal: controller.signal });
    controller.abort(new RangeError("the user left"));
    expect(await running).toMatchObject({
      state: "failed",
      failure: { kind: "aborted", code: "aborted" },
    });
  });
});
