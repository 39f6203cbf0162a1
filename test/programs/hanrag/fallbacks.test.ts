import { describe, expect, it } from "vitest";
import { question, ran } from "./parts.ts";
import { relevant, route, seed } from "./scripted-steps.ts";

const nonsense = () => "I would rather not say.";

describe("a router whose reply is not the label alone", () => {
  it.each([
    ["compound question", "compound"],
    ["Answer: complex", "single-step"],
    ['{"route": "Single step question"}', "single-step"],
    ['{"route": "straightforward question"}', "straightforward"],
    ['{"route": "COMPLEX question"}', "complex"],
    ["**Complex** question, since it is nested", "complex"],
    ["I would rather not say.", "single-step"],
  ])("is read by how it begins: %s", async (reply, taken) => {
    const { output, trace } = await ran({ script: { "route-question": () => reply } });
    expect(output.route).toBe(taken);
    expect(trace.notes).toMatchObject({ route: taken, "unreadable-route": reply });
  });
});

describe("steps that cannot be read, even after the correction", () => {
  it.each([
    ["cannot be read", nonsense],
    ["is empty", () => JSON.stringify({ reasoning: "Hm.", subQuestions: [] })],
    ["is blank", () => JSON.stringify({ reasoning: "Hm.", subQuestions: [" ", ""] })],
  ])("a decomposition that %s is the question itself", async (_, reply) => {
    const { output, trace } = await ran({
      script: { "route-question": route("compound"), "decompose-question": reply },
    });
    expect(output.solved).toEqual([{ question, answer: "1902" }]);
    expect(output.steps).toBe(1);
    expect(trace.notes).toEqual({ route: "compound", "not-decomposed": true });
  });

  it.each([
    ["cannot be read", nonsense],
    ["is blank", () => seed(" \n")],
  ])("a seed question that %s is the question itself", async (_, reply) => {
    const { output, trace } = await ran({
      script: { "route-question": route("complex"), "refine-question": reply },
    });
    expect(output.solved.map((step) => step.question)).toEqual([question, question]);
    expect(trace.notes).toMatchObject({ "step[1]/not-refined": true, "step[2]/not-refined": true });
  });

  it("a judgement of relevance keeps its passage", async () => {
    const { output } = await ran({
      script: {
        "judge-relevance": (fields) =>
          /Ostrel – notes/.test(fields) ? nonsense() : relevant(false),
      },
    });
    expect(output.passages.map(({ id }) => id)).toEqual(["1-empty"]);
  });

  it("a judgement of the ending lets the search go on, until it has taken all steps", async () => {
    const { output } = await ran({
      script: { "route-question": route("complex"), "judge-ending": nonsense },
    });
    expect(output.steps).toBe(5);
  });

  it("an answer is a format failure of the run", async () => {
    const running = ran({ script: { "answer-from-passages": nonsense } });
    await expect(running).rejects.toMatchObject({ code: "output-unparseable" });
  });

  it("a server that fails is never taken for a reply", async () => {
    const down = () => ({ status: 400, body: '{"error":{"message":"bad"}}' });
    for (const step of ["route-question", "judge-relevance"] as const) {
      const running = ran({ script: { [step]: down } });
      await expect(running).rejects.toMatchObject({ code: "lm-request-refused" });
    }
  });
});

describe("a search that finds nothing relevant", () => {
  const script = { "judge-relevance": () => relevant(false) };

  it("gives the generator no passages, and says so", async () => {
    const { output, trace, asked } = await ran({ script });
    expect(output.passages).toEqual([]);
    expect(trace.notes).toMatchObject({ "step[1]/nothing-relevant": "no-passages" });
    expect(asked("answer-from-passages")).toMatchInlineSnapshot(`
      [
        "Question: When was the iron footbridge of Ostrel finished?

      Passages: (empty)
      ",
      ]
    `);
  });

  it("gives it the first three found, where that is chosen", async () => {
    const { output, trace } = await ran({ script, emptyEvidence: "best-found" });
    expect(output.passages).toHaveLength(3);
    expect(output.passages[0]?.id).toBe("1-building");
    expect(trace.notes).toMatchObject({ "step[1]/nothing-relevant": "best-found" });
    const tuned = await ran({ script, parameters: { emptyEvidence: "best-found" } });
    expect(tuned.output.passages).toEqual(output.passages);
  });

  it("gives it no passages when there was none to be found", async () => {
    const { output } = await ran({ input: { question: "Zzyzx?" }, emptyEvidence: "best-found" });
    expect(output).toMatchObject({ passages: [], steps: 1, answer: "1871" });
  });
});
