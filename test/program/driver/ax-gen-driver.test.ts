import { describe, expect, it } from "vitest";
import { z } from "zod";
import { axGen, predict, signature, text } from "espalier";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { describeDriver } from "../driver.contract.ts";

describeDriver({
  driver: axGen(),
  write: ({ label, answer }) => `Label: ${label}\nAnswer: ${answer}`,
  nonsense: "I would rather not say.",
  givesUpWhenCutOff: "ax ends a call whose reply reached the token limit",
});

const answer = signature({
  name: "answer",
  instruction: "Answer politely.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

describe("the ax-gen driver", () => {
  it("reports an assertion that throws as a fault of the program, not of the model", async () => {
    await using server = await scriptedLm(() => "Answer: Gladly.");
    const broken = axGen({
      configure: (generator) => {
        generator.addAssert(() => {
          throw new TypeError("x is not a function");
        });
      },
    });
    const call = predict(answer, { driver: broken }).run({ question: "Help?" }, { lm: server.lm });
    await expect(call).rejects.toThrow(TypeError);
  });

  it("reads a nullable output that is left out as null", async () => {
    await using server = await scriptedLm(() => "Answer: Gladly.");
    const step = signature({
      ...answer,
      output: { ...answer.output, source: z.string().nullable() },
    });
    const made = await predict(step, { driver: axGen() }).run(
      { question: "Help?" },
      { lm: server.lm },
    );
    expect(made).toEqual({ answer: "Gladly.", source: null });
  });

  it("shows a runaway reply and its problems in few words", async () => {
    const step = signature({ ...answer, output: { numbers: z.array(z.int().max(5)) } });
    const bad = `Numbers: ${JSON.stringify(Array.from({ length: 20_000 }, () => 9))}`;
    await using server = await scriptedLm((_, index) => (index === 0 ? bad : "Numbers: [1]"));
    const made = await predict(step, { driver: axGen() }).run(
      { question: "Which?" },
      { lm: server.lm },
    );
    expect(made).toEqual({ numbers: [1] });
    const [reply, told] = server.received[1]?.messages.slice(-2) ?? [];
    expect(reply?.content).toBe(bad.slice(0, 2_000));
    expect(told?.content.length).toBeLessThan(2_500);
  });

  it("lets ax's assertions ask for a correction", async () => {
    await using server = await scriptedLm(
      (_, index) => `Answer: ${index === 0 ? "Go away." : "Gladly."}`,
    );
    const polite = axGen({
      configure: (generator) => {
        generator.addAssert(
          ({ answer: made }: { answer: string }) => !made.includes("Go away"),
          "The answer must be polite.",
        );
      },
    });
    const made = await predict(answer, { driver: polite }).run(
      { question: "Help?" },
      { lm: server.lm },
    );
    expect(made.answer).toBe("Gladly.");
    expect(server.received[1]?.messages.at(-1)?.content).toContain("must be polite");
  });
});
