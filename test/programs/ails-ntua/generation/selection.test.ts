import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { extractivenessBonus, selectCandidate } from "../../../../programs/ails-ntua/index.ts";
import type { WorkedExamples } from "../../../../scripts/conformance/worked-examples.ts";
import { sharedData } from "../../../support/shared-data.ts";

// Computed apart from this code, in Python.
const worked = sharedData("mtrag-eval/worked_examples.json");

describe.skipIf(worked.isAbsent)(`selection on worked examples${worked.note}`, () => {
  const examples: Pick<WorkedExamples, "phi" | "selection"> = worked.isAbsent
    ? { phi: [], selection: [] }
    : (JSON.parse(readFileSync(worked.file, "utf8")) as WorkedExamples);

  it("shapes every share as worked out", () => {
    expect(examples.phi.length).toBeGreaterThan(5);
    for (const [share, bonus] of examples.phi) expect(extractivenessBonus(share)).toBe(bonus);
  });

  it("scores and chooses as worked out", () => {
    expect(examples.selection.length).toBeGreaterThan(3);
    for (const example of examples.selection) {
      const { scores, choice } = selectCandidate({
        technical: { A: example.techA, B: example.techB },
        user: example.user,
        extractiveness: { A: example.r4A, B: example.r4B },
        hasForbiddenPhrase: { A: example.forbA, B: example.forbB },
      });
      expect(scores.A).toBeCloseTo(example.scoreA, 12);
      expect(scores.B).toBeCloseTo(example.scoreB, 12);
      expect(choice).toBe(example.choice);
    }
  });
});

describe("selection of a candidate", () => {
  const even = {
    technical: { A: 5, B: 5 },
    user: null,
    extractiveness: { A: 0.3, B: 0.3 },
    hasForbiddenPhrase: { A: false, B: false },
  } as const;

  it.each([
    ["HIGH", 5],
    ["MEDIUM", 3.5],
    ["LOW", 2],
  ] as const)(
    "adds for a %s preference %d points to the preferred one alone",
    (confidence, points) => {
      const neither = selectCandidate({ ...even, user: { preferred: "B", confidence } }).scores;
      expect(neither.B - neither.A).toBeCloseTo(points, 12);
    },
  );

  it("gives A two points where no user judge was asked, and so a tie to A", () => {
    const { scores } = selectCandidate(even);
    expect(scores.A - scores.B).toBeCloseTo(2, 12);
    const tied = selectCandidate(
      { ...even, technical: { A: 4.2, B: 10 }, user: null },
      {
        weights: {
          technical: 0,
          preference: 0,
          prior: 0,
          forbidden: 0,
          confidence: { HIGH: 0, MEDIUM: 0, LOW: 0 },
        },
      },
    );
    expect(tied.choice).toBe("A");
  });

  it("takes two points for a forbidden phrase", () => {
    const { scores } = selectCandidate({ ...even, hasForbiddenPhrase: { A: true, B: false } });
    expect(scores.A).toBeCloseTo(scores.B, 12);
  });
});
