import { describe, expect, it } from "vitest";
import type { AnswerScript } from "../answer-steps.ts";
import { history, passages, question, unusable } from "../answer-steps.ts";
import { gated } from "../answered.ts";

const single = { gate: "single-judge" };
const labelled = (label: string, confidence: string): AnswerScript => ({
  judgeAnswerability: () => JSON.stringify({ label, confidence }),
});

describe("the baseline with a single judge", () => {
  it("answers unasked when more than .40 of the question's keywords stand in the passages", async () => {
    const about = [{ id: "p", text: "The footbridge of Ostrel" }];
    const { output, notes, asked } = await gated({
      // footbridge, Ostrel of footbridge, Ostrel, finished, what
      question: "Footbridge Ostrel finished what?",
      passages: about,
      parameters: single,
    });
    expect(asked).not.toContain("judgeAnswerability");
    expect(notes["gate"]).toEqual({
      verdict: "ANSWERABLE",
      confidence: 1,
      rule: "keywords of the question",
    });
    expect(output["route"]).toBe("generated");
  });

  it("asks one judge otherwise, with the last two turns and three passages", async () => {
    const { inputs, asked } = await gated({ parameters: single });
    expect(inputs["judgeAnswerability"]).toEqual({
      question,
      history: history.slice(-2),
      passages: passages.slice(0, 3),
    });
    expect(asked).not.toContain("checkHistory");
    expect(asked).not.toContain("judgeDocuments");
  });

  it.each([
    ["ANSWERABLE", "LOW", "generated", "ANSWERABLE"],
    ["PARTIAL", "HIGH", "generated", "PARTIAL"],
    ["UNANSWERABLE", "HIGH", "refusal", "UNANSWERABLE"],
    ["UNANSWERABLE", "MEDIUM", "refusal", "UNANSWERABLE"],
    ["UNANSWERABLE", "LOW", "generated", "ANSWERABLE"],
  ])("takes %s at %s for %s", async (label, confidence, route, verdict) => {
    const { output } = await gated({ parameters: single, script: labelled(label, confidence) });
    expect(output).toMatchObject({ route, verdict });
  });

  it("answers when the judge's reply cannot be parsed", async () => {
    const { output, notes } = await gated({
      parameters: single,
      script: { judgeAnswerability: unusable },
    });
    expect(output["route"]).toBe("generated");
    expect(notes["gate"]).toMatchObject({ rule: "unusable reply of the judge" });
  });
});

describe("the baseline without a gate", () => {
  it("answers everything", async () => {
    const { output, asked, notes } = await gated({ parameters: { gate: "none" } });
    expect(output).toMatchObject({ route: "generated" });
    expect(output).not.toHaveProperty("verdict");
    expect(notes).not.toHaveProperty("gate");
    expect(asked[0]).toBe("extractSpans");
  });
});
