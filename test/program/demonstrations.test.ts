import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Demonstration } from "espalier";
import { predict, signature, text } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";

const step = signature({
  name: "step",
  instruction: "Do it.",
  input: { question: text("question") },
  output: { label: z.enum(["yes", "no"]), answer: text("answer") },
});
const demo: Demonstration = {
  exampleId: "e1",
  inputs: { question: "Shown?" },
  outputs: { label: "yes" },
};

describe("demonstrations", () => {
  it("are not shown when their own example is judged", async () => {
    await using server = await scriptedLm(() => '{"label":"no","answer":"a"}');
    const shown = predict(step, {
      demos: [demo, { ...demo, exampleId: "e2", inputs: { question: "Other?" } }],
    });
    for (const exampleId of ["e1", "e3"]) {
      await shown.run({ question: "q" }, { lm: server.lm, exampleId });
    }
    const prompts = server.received.map(({ messages }) =>
      messages.map(({ content }) => content).join("\n"),
    );
    expect(prompts[0]).not.toContain("Shown?");
    expect(prompts[0]).toContain("Other?");
    expect(prompts[1]).toContain("Shown?");
  });

  it("are not shown to other examples of their example's cluster", async () => {
    await using server = await scriptedLm(() => '{"label":"no","answer":"a"}');
    const shown = predict(step, {
      demos: [
        { ...demo, cluster: "talk" },
        { ...demo, exampleId: "talk", inputs: { question: "Other?" } },
      ],
    });
    const asked = [
      { exampleId: "e3", cluster: "talk" },
      { exampleId: "e1", cluster: "speech" },
    ];
    for (const options of [...asked, { exampleId: "e3" }]) {
      await shown.run({ question: "q" }, { lm: server.lm, ...options });
    }
    const prompts = server.received.map(({ messages }) => JSON.stringify(messages));
    expect(prompts.map((prompt) => prompt.includes("Shown?"))).toEqual([false, false, true]);
    // An example without a cluster is one by itself, of its own name.
    expect(prompts.map((prompt) => prompt.includes("Other?"))).toEqual([false, true, true]);
  });

  it("are shown to a request that has the id of their example or cluster by chance", async () => {
    await using server = await scriptedLm(() => '{"label":"no","answer":"a"}');
    const shown = predict(step, { demos: [{ ...demo, cluster: "talk" }] });
    for (const id of ["e1", "talk", "e3"]) {
      await shown.run({ question: "q" }, { lm: server.lm, requestId: id });
      await predict(step).run({ question: "q" }, { lm: server.lm, exampleId: id });
    }
    const prompts = server.received.map(({ messages }) => JSON.stringify(messages));
    expect(prompts.map((prompt) => prompt.includes("Shown?"))).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    // In seeds the id counts as an example's does.
    const seeds = server.received.map(({ seed }) => seed);
    expect(seeds.filter((_, index) => index % 2 === 0)).toEqual(
      seeds.filter((_, index) => index % 2 === 1),
    );
    expect(new Set(seeds).size).toBe(3);
  });

  it("show neither score nor round", () => {
    const taken = { ...demo, score: 0.123, round: 7, cluster: "talk" };
    const prompts = [demo, taken].map((shown) =>
      predict(step, { demos: [shown] }).render({ question: "q" }),
    );
    expect(prompts[1]).toEqual(prompts[0]);
  });

  it("are copied, so that nobody can change them later", () => {
    const mine = structuredClone(demo) as { inputs: { question: string } } & Demonstration;
    const shown = predict(step, { demos: [mine] });
    mine.inputs.question = "Changed?";
    expect(JSON.stringify(shown.render({ question: "q" }))).toContain("Shown?");
    expect(Object.isFrozen(shown.demos[0]?.inputs)).toBe(true);
  });

  it.each<[string, Partial<Demonstration>]>([
    ["an unknown field", { inputs: { question: "q", gold: "g" } }],
    ["a wrong label", { outputs: { label: "maybe" } }],
    ["a wrong type", { inputs: { question: 3 } }],
    ["no input", { inputs: {} }],
    ["no output", { outputs: {} }],
  ])("are refused with %s", (_, change) => {
    expect(() => predict(step, { demos: [{ ...demo, ...change }] })).toThrowErrorMatchingSnapshot();
  });
});

describe("sampling", () => {
  it("takes the default for what is undefined", () => {
    const { sampling } = predict(step, { sampling: { temperature: undefined } as never }).settings;
    expect(sampling.temperature).toBe(0);
  });

  it.each([{ temperature: Number.NaN }, { topP: 9 }, { maxCompletionTokens: 0 }, { heat: 1 }])(
    "refuses %o",
    (sampling) => {
      expect(() => predict(step, { sampling })).toThrow(/predictor.s sampling/);
    },
  );
});
