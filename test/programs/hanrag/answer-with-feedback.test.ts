import { describe, expect, it } from "vitest";
import type { Blame, Scored } from "espalier";
import type { AnswerWithFeedbackOptions, HanragLabels } from "../../../programs/hanrag/index.ts";
import { answerWithFeedback } from "../../../programs/hanrag/index.ts";
import { shelf } from "../../retrieval/shelf.ts";
import type { RunSetting } from "./parts.ts";
import { question, ran } from "./parts.ts";
import { answer, parts, relevant, route, seed, solved, solvedIn } from "./scripted-steps.ts";

const footbridge = { answers: ["1902"], relevant: { "1-building": 1 } };

/** Runs the program as scripted and judges what came out. */
async function judged(
  setting: RunSetting,
  labels: HanragLabels,
  options?: AnswerWithFeedbackOptions,
): Promise<Scored & { readonly told: (path: string) => readonly string[] }> {
  const { output, trace } = await ran(setting);
  const input = setting.input ?? { question };
  const example = { id: "e1", input, labels };
  const score = await answerWithFeedback(options).doScore({
    example,
    output: output as Parameters<ReturnType<typeof answerWithFeedback>["doScore"]>[0]["output"],
    trace,
  });
  if (score.kind !== "scored") throw new Error(JSON.stringify(score));
  const told = (path: string): readonly string[] => saidOf(score.blame ?? [], path);
  return { ...score, told };
}

/** What was said of the calls whose path begins so, with the score where there is one. */
function saidOf(blame: readonly Blame[], path: string): readonly string[] {
  return blame
    .filter((one) => one.path.startsWith(path))
    .map((one) => `${one.path} ${one.score?.toFixed(2) ?? "-"}: ${one.text}`);
}

describe("the value", () => {
  // The worked example of the reference script: two of four words, both of them wanted.
  it("is token F1, with accuracy, exact match and minus the steps beside it", async () => {
    const score = await judged(
      { script: { "answer-from-passages": () => answer("King Harold II of England") } },
      { answers: ["Harold II"] },
    );
    expect(score.value).toBeCloseTo(0.571429, 6);
    expect(score.objectives).toEqual({ accuracy: 1, exact_match: 0, negated_steps: -1 });
  });

  it("is accuracy where that is chosen, which of a compound answer counts the parts", async () => {
    const score = await judged(
      { script: { "answer-from-passages": () => answer("He succeeded in 1651.") } },
      { answers: ["1651 && Rachael"] },
      { value: "accuracy" },
    );
    expect(score.value).toBe(0.5);
    expect(score.objectives).toMatchObject({ exact_match: 0, negated_steps: -1 });
    expect(score.objectives?.["token_f1"]).toBeCloseTo(1 / 3, 6);
  });

  it("counts no step for a straightforward question", async () => {
    const score = await judged(
      { script: { "route-question": route("straightforward") } },
      { answers: ["Twelve"] },
    );
    expect(Object.is(score.objectives?.["negated_steps"], 0)).toBe(true);
  });

  it("does not apply without an accepted answer", async () => {
    const { output, trace } = await ran();
    const example = { id: "e1", input: { question }, labels: { answers: [] } };
    const score = answerWithFeedback().doScore({ example, output: output as never, trace });
    expect(score).toMatchObject({ kind: "not-applicable" });
  });
});

describe("the feedback", () => {
  it("tells the run, and the needed passages that were not read, with their text", async () => {
    const byId = new Map(shelf.map((passage) => [passage.id, passage]));
    const score = await judged(
      { script: { "judge-relevance": () => relevant(false) } },
      {
        answers: ["in 1902"],
        route: "complex",
        relevant: { "1-building": 1, "6-weather": 1, unknown: 1, "0-trade": 0 },
      },
      { passageOf: (id) => byId.get(id) },
    );
    expect(score.feedback).toMatchInlineSnapshot(`
      "Question: When was the iron footbridge of Ostrel finished?
      Expected answer: in 1902
      Answer returned: 1902
      Score: F1 0.667
      Route: single-step, expected complex
      Steps: 1
      1. "When was the iron footbridge of Ostrel finished?": found 10 passages, read 0, answered "1902"
      Missing passages, never found:
      - Winters in 北港 are long and wet; storms from the sea reach the tea exchange.
      - unknown
      Missing passages, found but not read:
      - Ostrel – buildings In 1902 the people of Ostrel finished an iron footbridge, the first of its kind."
    `);
  });
});

describe("blame on the router", () => {
  it("says what kind the question is, and why", async () => {
    const { told } = await judged(
      {},
      { ...footbridge, route: "complex", decomposition: [{ question: "Who?", answer: "Ada" }] },
    );
    expect(told("routeQuestion")).toMatchInlineSnapshot(`
      [
        "routeQuestion 0.00: The question is complex, but was taken for single-step. What is to be looked up next depends on an answer that has to be found first. What has to be found out: "Who?".",
      ]
    `);
    const right = await judged({}, { ...footbridge, route: "single-step" });
    expect(right.told("routeQuestion")).toEqual([
      "routeQuestion 1.00: Right: the question is single-step.",
    ]);
  });

  it("is laid on nobody when the route is not known, or another decided", async () => {
    expect((await judged({}, footbridge)).told("routeQuestion")).toEqual([]);
    const oracle = await judged({ routing: "complex" }, { ...footbridge, route: "compound" });
    expect(oracle.told("routeQuestion")).toEqual([]);
  });
});

describe("blame on who words the searches", () => {
  const decomposition = [
    {
      question: "When was the lighthouse of Varnholm built?",
      answer: "1871",
      passageId: "0-building",
    },
    { question: "Who trades in 北港?", answer: "merchants", passageId: "6-trade" },
  ];
  const labels = {
    answers: ["1871 && merchants"],
    relevant: { "0-building": 1, "6-trade": 1 },
    decomposition,
  };

  it("tells the decomposer what its parts found, and what had to be asked", async () => {
    const script = {
      "route-question": route("compound"),
      "decompose-question": () => parts("lighthouse Varnholm", "turntable"),
    };
    const { told } = await judged({ script }, labels);
    expect(told("decomposeQuestion")).toMatchInlineSnapshot(`
      [
        "decomposeQuestion 0.50: The searches for the sub-questions found 1 of 2 needed passages. What has to be asked: "When was the lighthouse of Varnholm built?", "Who trades in 北港?".",
      ]
    `);
  });

  it("tells the refiner of each step whether it found something new", async () => {
    const seeds = ["lighthouse Varnholm", "lighthouse Varnholm", "北港"];
    const { told } = await judged(
      {
        script: {
          "route-question": route("complex"),
          "refine-question": (fields) => seed(seeds[solvedIn(fields)] ?? ""),
          "judge-ending": (fields) => solved(solvedIn(fields) === 3),
        },
      },
      labels,
    );
    expect(
      told("step[1]/refineQuestion").concat(
        told("step[2]/refineQuestion"),
        told("step[3]/refineQuestion"),
      ),
    ).toMatchInlineSnapshot(`
      [
        "step[1]/refineQuestion 1.00: The search for this seed question found a passage that was needed and not yet read.",
        "step[2]/refineQuestion 0.00: This seed question had been asked before, and asking again finds the same. What had to be asked next: "Who trades in 北港?".",
        "step[3]/refineQuestion 1.00: The search for this seed question found a passage that was needed and not yet read.",
      ]
    `);
  });

  it("is laid on nobody where the needed passages are not known", async () => {
    const script = { "route-question": route("complex") };
    const { told } = await judged({ script }, { answers: ["1902"] });
    expect(told("step[1]/refineQuestion")).toEqual([]);
  });
});

describe("blame on the relevance discriminator", () => {
  it("falls on the judgement that dropped a needed passage for good", async () => {
    const { told } = await judged(
      { script: { "judge-relevance": () => relevant(false) } },
      footbridge,
    );
    expect(told("step[1]/judgeRelevance")).toMatchInlineSnapshot(`
      [
        "step[1]/judgeRelevance[1] 0.00: The answer needs this passage, but it was judged irrelevant, and no step read it.",
      ]
    `);
  });

  it("falls on the judgements that let others take its place", async () => {
    const { told } = await judged(
      { script: { "judge-relevance": () => relevant(true) }, parameters: { kept: 1 } },
      { answers: ["1902"], relevant: { "0-building": 1 } },
    );
    expect(told("step[1]/judgeRelevance")).toMatchInlineSnapshot(`
      [
        "step[1]/judgeRelevance[1] 0.00: This passage is not needed, and took the place of one that is.",
        "step[1]/judgeRelevance[4] 1.00: Right: the answer needs this passage.",
      ]
    `);
  });

  it("names what was read beside the needed passage when the answer was wrong", async () => {
    const setting = { script: { "judge-relevance": () => relevant(true) } };
    const right = await judged(setting, footbridge);
    expect(right.told("step[1]/judgeRelevance")).toEqual([
      "step[1]/judgeRelevance[1] 1.00: Right: the answer needs this passage.",
    ]);
    const wrong = await judged(setting, { ...footbridge, answers: ["1644"] });
    expect(wrong.told("step[1]/judgeRelevance")).toMatchInlineSnapshot(`
      [
        "step[1]/judgeRelevance[1] 1.00: Right: the answer needs this passage.",
        "step[1]/judgeRelevance[2] -: This passage is not needed; the generator read it, and the answer was wrong.",
        "step[1]/judgeRelevance[3] -: This passage is not needed; the generator read it, and the answer was wrong.",
      ]
    `);
  });

  it("is not laid on a step for what another step kept", async () => {
    const { told } = await judged(
      {
        script: {
          "route-question": route("complex"),
          "judge-relevance": (fields) =>
            relevant(/fact 2/.test(fields) && /people of Ostrel/.test(fields)),
        },
      },
      footbridge,
    );
    expect(told("step[1]/judgeRelevance")).toEqual([]);
    expect(told("step[2]/judgeRelevance")).toHaveLength(1);
  });
});

describe("blame on the ending discriminator", () => {
  const decomposition = [
    { question: "Which bridge?", answer: "the footbridge" },
    { question: "When was it finished?", answer: "1902" },
  ];
  const complex = { "route-question": route("complex") };

  it("tells too early by the sub-questions that were open", async () => {
    const { told } = await judged(
      {
        script: {
          ...complex,
          "judge-ending": (fields) => solved(solvedIn(fields) === 1),
          "answer-from-passages": () => answer("the footbridge"),
        },
      },
      { answers: ["1902"], decomposition },
    );
    expect(told("judgeEnding")).toMatchInlineSnapshot(`
      [
        "judgeEnding[1] 0.00: Too early, after 1 solved step: it was still to be found out "When was it finished?".",
      ]
    `);
  });

  it("tells too early by the passages that had not been read", async () => {
    const { told } = await judged(
      { script: { ...complex, "judge-ending": () => solved(true) } },
      footbridge,
    );
    expect(told("judgeEnding")).toMatchInlineSnapshot(`
      [
        "judgeEnding[0] 0.00: Too early, after 0 solved steps: passages that the answer needs had not been read.",
      ]
    `);
  });

  it("tells too late by the step that had the answer", async () => {
    const { told } = await judged(
      {
        script: {
          ...complex,
          "judge-ending": (fields) => solved(solvedIn(fields) === 3),
          "answer-from-steps": () => answer("1902"),
        },
      },
      footbridge,
    );
    expect(told("judgeEnding")).toMatchInlineSnapshot(`
      [
        "judgeEnding[0] 1.00: Right: the answer was not known yet.",
        "judgeEnding[1] 0.00: Too late: the answer was known after step 1.",
        "judgeEnding[2] 0.00: Too late: the answer was known after step 1.",
        "judgeEnding[3] 1.00: Right: the solved steps were enough.",
      ]
    `);
  });
});

describe("blame on who writes the answer", () => {
  const decomposition = [
    { question: "When was the footbridge finished?", answer: "1902", passageId: "1-building" },
  ];

  it("falls on the generator that had all it needed", async () => {
    const script = { "answer-from-passages": () => answer("1644") };
    expect((await judged({ script }, footbridge)).told("step[1]/answer")).toMatchInlineSnapshot(`
      [
        "step[1]/answerFromPassages 0.00: All that is needed was there. Expected "1902", got "1644".",
      ]
    `);
    const known = await judged({ script }, { ...footbridge, decomposition });
    expect(known.told("step[1]/answer")).toMatchInlineSnapshot(`
      [
        "step[1]/answerFromPassages 0.00: The passage that answers this step was there: expected "1902", got "1644".",
      ]
    `);
  });

  it("spares the generator that had not", async () => {
    const script = {
      "judge-relevance": () => relevant(false),
      "answer-from-passages": () => answer("1644"),
    };
    expect((await judged({ script }, footbridge)).told("step[1]/answer")).toEqual([]);
  });

  it("falls on the last step where the parts were right", async () => {
    const { told } = await judged(
      {
        script: {
          "route-question": route("compound"),
          "answer-from-steps": () => answer("unknown"),
        },
      },
      { answers: ["1902 && 1902"], relevant: footbridge.relevant, decomposition },
    );
    expect(told("answerFromSteps")).toMatchInlineSnapshot(`
      [
        "answerFromSteps 0.00: The solved steps hold the answer. Expected "1902 && 1902", got "unknown".",
      ]
    `);
  });

  it("spares the last step where the parts were wrong", async () => {
    const { told } = await judged(
      { script: { "route-question": route("compound") } },
      { answers: ["1644 && 1783"] },
    );
    expect(told("answerFromSteps")).toEqual([]);
  });

  it("falls on the model that was asked without a search", async () => {
    const script = { "route-question": route("straightforward") };
    const { told } = await judged({ script }, { answers: ["Thirteen"] });
    expect(told("answerDirectly")).toEqual([
      'answerDirectly 0.00: Expected "Thirteen", got "Twelve".',
    ]);
  });
});
