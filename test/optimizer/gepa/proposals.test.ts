import { describe, expect, it } from "vitest";
import { checkProposal } from "../../../src/optimizer/gepa/check-proposal.ts";
import { reflectiveCases } from "../../../src/optimizer/gepa/reflective-cases.ts";
import { renderCases } from "../../../src/optimizer/gepa/render-cases.ts";
import { roundRobin } from "../../../src/optimizer/gepa/round-robin.ts";
import { gateSums, isStrictImprovement } from "../../../src/optimizer/gepa/strict-improvement.ts";
import type { Rollout } from "../../../src/optimizer/index.ts";

describe("a proposed text", () => {
  const options = { current: "Answer the question.", isTried: () => false, maxLength: 60 };

  it.each([
    ["", "empty"],
    ["  \n ", "empty"],
    ["```\n```", "empty"],
    ["Answer  the\nquestion. ", "unchanged"],
    ["```\nAnswer the question.\n```", "unchanged"],
    ["<think>They want a new text.</think> Answer briefly.", "polluted"],
    ["x".repeat(61), "too-long"],
  ])("that is %j is refused as %s", (proposed, reason) => {
    expect(checkProposal(proposed, options)).toMatchObject({ ok: false, reason });
  });

  it("that was tried before is refused", () => {
    const tried = { ...options, isTried: (text: string) => text === "Answer briefly." };
    expect(checkProposal("Answer briefly.", tried)).toMatchObject({ reason: "already-tried" });
    expect(checkProposal("Answer at length.", tried)).toMatchObject({ ok: true });
  });

  it("in a code fence is taken out of it", () => {
    expect(checkProposal("```text\nAnswer in one word.\n```", options)).toEqual({
      ok: true,
      text: "Answer in one word.",
    });
  });
});

describe("what reflection sees of a predictor", () => {
  const rollout: Rollout = {
    exampleId: "q1",
    score: { kind: "scored", value: 0.25 },
    usage: { calls: 3, promptTokens: 0, completionTokens: 0 },
    worst: 0,
    lesson: {
      feedback: "Missing: the harbour.",
      blame: [
        { path: "hop[2]/search", score: 0, text: "Asked the same again." },
        { path: "answer", text: "Too long." },
      ],
      steps: [
        step("hop[1]/search", "search", { query: "ferry" }),
        step("hop[2]/search", "search", { query: "ferry" }),
        step("check", "check", { query: "ferry" }),
        step("answer", "answer", { answer: "By ferry." }),
      ],
    },
  };

  it("is its own calls, each with the blame laid on it and the program's feedback", () => {
    const cases = reflectiveCases([rollout], "search");
    expect(cases.map(({ feedback }) => feedback)).toEqual([
      "Score: 0.25\nMissing: the harbour.",
      "Score: 0.25\nMissing: the harbour.\nOn this step (score 0): Asked the same again.",
    ]);
    expect(reflectiveCases([rollout], "answer")[0]?.feedback).toContain("On this step: Too long.");
    expect(reflectiveCases([rollout], "nobody")).toEqual([]);
  });

  it("is shown under headings, the unusable reply of a failed call as it was written", () => {
    const failure = { kind: "format", code: "output-unparseable", message: "No JSON." } as const;
    const failed = { ...step("search", "search", null), rawText: "Well, let me see", failure };
    const cases = reflectiveCases([{ ...rollout, lesson: { steps: [failed] } }], "search");
    expect(renderCases(cases, 4_000)).toMatchInlineSnapshot(`
      "# Example 1

      ## Inputs
      ### question
      How to get there?

      ## Generated Outputs
      ### unusable reply
      Well, let me see

      ## Feedback
      Score: 0.25
      This step failed: No JSON."
    `);
  });

  it("stays within its length, and no example is pushed out by another's long passage", () => {
    const long = step("search", "search", { query: "y".repeat(50_000) });
    const many = Array.from({ length: 4 }, () => ({
      ...rollout,
      lesson: { feedback: "z".repeat(9_000), steps: [long] },
    }));
    const shown = renderCases(reflectiveCases(many, "search"), 8_000);
    expect(shown.length).toBeLessThan(8_000 + 4 * 120);
    for (const number of [1, 2, 3, 4]) expect(shown).toContain(`# Example ${number}`);
    expect(shown.match(/characters left out/g)).toHaveLength(8);
  });

  it("says how many examples do not fit at all", () => {
    const many = Array.from({ length: 20 }, () => rollout);
    const shown = renderCases(reflectiveCases(many, "answer"), 6_000);
    expect(shown).toContain("# Example 4");
    expect(shown).not.toContain("# Example 5");
    expect(shown).toContain("(16 further cases are left out.)");
  });
});

describe("components", () => {
  it("come in turn, from the pointer on", () => {
    const order = (pointer: number): string =>
      roundRobin(["a", "b", "c"], pointer)
        .map(({ component, next }) => `${component}${next}`)
        .join(" ");
    expect(order(0)).toBe("a1 b2 c0");
    expect(order(2)).toBe("c0 a1 b2");
  });
});

describe("acceptance", () => {
  const evaluation = (scores: Readonly<Record<string, number | null>>) => ({
    scores,
    rollouts: [],
    value: 0,
    coverage: 1,
    isAcceptable: true,
  });

  it.each([
    [{ a: 0, b: 0.5 }, { a: 0.5, b: 0.5 }, true],
    [{ a: 0, b: 0.5 }, { a: 0.5, b: 0 }, false],
    [{ a: 1, b: 0.5 }, { a: 0.5, b: 0.5 }, false],
    // Only rounding tells the two sums apart: 0.6 and 0.6000000000000001.
    [{ a: 0.3, b: 0.2, c: 0.1 }, { a: 0.1, b: 0.2, c: 0.3 }, false],
    // What one side has no score for counts for neither.
    [{ a: 0.5, b: null }, { a: 0.5, b: 1 }, false],
    [{ a: 0.5, b: 1 }, { a: 0.6, b: null }, true],
  ])("of %j against %j: %s", (parent, child, expected) => {
    const sums = gateSums(evaluation(parent), evaluation(child));
    expect(isStrictImprovement(sums)).toBe(expected);
  });
});

function step(path: string, predictor: string, outputs: Readonly<Record<string, string>> | null) {
  return { path, predictor, inputs: { question: "How to get there?" }, outputs, rawText: "{}" };
}
