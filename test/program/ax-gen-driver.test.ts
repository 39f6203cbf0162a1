import { describe, expect, it } from "vitest";
import { axGen, predict, signature, text } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";
import { describeDriver } from "./driver.contract.ts";

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
