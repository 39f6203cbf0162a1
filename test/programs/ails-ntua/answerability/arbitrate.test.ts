import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../../programs/ails-ntua/index.ts";
import { arbitrate, authorsArbiter } from "../../../../programs/ails-ntua/index.ts";
import type { Vote, WorkedExamples } from "../../../../scripts/conformance/worked-examples.ts";
import { sharedData } from "../../../support/shared-data.ts";

const decided = (votes: readonly Vote[], settings = authorsArbiter) => {
  const [documents, spans, answer] = votes.map(([verdict, confidence]) => ({
    verdict,
    confidence,
  }));
  return arbitrate({ documents: documents!, spans: spans!, answer: answer! }, settings);
};

// Computed apart from this code, in Python.
const worked = sharedData("mtrag-eval/worked_examples.json");

describe.skipIf(worked.isAbsent)(`the arbiter on worked examples${worked.note}`, () => {
  const { arbiter }: Pick<WorkedExamples, "arbiter"> = worked.isAbsent
    ? { arbiter: [] }
    : (JSON.parse(readFileSync(worked.file, "utf8")) as WorkedExamples);

  it("decides as worked out", () => {
    expect(arbiter.length).toBeGreaterThan(5);
    for (const { j1, j2, j3, result } of arbiter) {
      const { verdict, confidence, rule } = decided([j1, j2, j3]);
      expect([verdict, rule]).toEqual([result[0], result[2]]);
      expect(confidence).toBeCloseTo(result[1], 12);
    }
  });
});

describe("the arbiter", () => {
  const verdicts = ["ANSWERABLE", "UNANSWERABLE"] as const;
  const all = verdicts.flatMap((first) =>
    verdicts.flatMap((second) =>
      verdicts.flatMap((third) =>
        [0.5, 0.89, 0.9, 1].map(
          (sure) =>
            [
              [first, 0.5],
              [second, sure],
              [third, 0.5],
            ] as readonly Vote[],
        ),
      ),
    ),
  );

  it("decides by plain majority whatever the boost says, and never by a tie", () => {
    for (const votes of all) {
      const { verdict, rule } = decided(votes);
      const answerable = votes.filter(([said]) => said === "ANSWERABLE").length;
      expect(verdict).toBe(answerable >= 2 ? "ANSWERABLE" : "UNANSWERABLE");
      expect(rule).not.toBe("tie");
      expect(decided(votes, { ...authorsArbiter, boostWeight: 1 })).toEqual(decided(votes));
    }
  });

  it("lets the judge of the spans decide where a boost of 2 makes a tie", () => {
    const votes: readonly Vote[] = [
      ["ANSWERABLE", 0.9],
      ["UNANSWERABLE", 0.9],
      ["ANSWERABLE", 0.9],
    ];
    const { verdict, confidence, rule } = decided(votes, { ...authorsArbiter, boostWeight: 2 });
    expect([verdict, rule]).toEqual(["UNANSWERABLE", "tie"]);
    expect(confidence).toBeCloseTo(0.72, 12);
    expect(decided(votes, { ...authorsArbiter, boostWeight: 3 })).toMatchObject({
      verdict: "UNANSWERABLE",
      rule: "majority",
    });
  });

  it("overrides only two refusals, and from .92 on", () => {
    const votes = (documents: Verdict, sure: number): readonly Vote[] => [
      [documents, 0.9],
      ["UNANSWERABLE", 0.9],
      ["ANSWERABLE", sure],
    ];
    expect(decided(votes("UNANSWERABLE", 0.92)).rule).toBe("override");
    expect(decided(votes("UNANSWERABLE", 0.919)).rule).toBe("majority");
    expect(decided(votes("ANSWERABLE", 0.99)).rule).toBe("majority");
  });
});
