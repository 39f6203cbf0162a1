import { describe, expect, it } from "vitest";
import type { Candidate, Demonstration } from "espalier";
import type { Artifact, CompileArtifactOptions } from "espalier/artifact";
import { artifactDifference, compileArtifact } from "espalier/artifact";
import type { Changes } from "./travel-guide.ts";
import { compileGuide, travelGuide } from "./travel-guide.ts";

function guide(
  candidate: Candidate,
  { changes, ...rest }: { changes?: Changes } & Partial<CompileArtifactOptions> = {},
): Artifact {
  const lm = { provider: "test", model: "none" };
  return compileArtifact({ program: travelGuide(changes), candidate, lm, samples: {}, ...rest });
}

const shown = (exampleId: string): Demonstration => ({
  exampleId,
  inputs: { question: `${exampleId}?` },
  outputs: { label: "answerable" },
});

describe("the difference of two artifacts", () => {
  it("is empty for one and itself", () => {
    const one = guide([]);
    expect(artifactDifference(one, one)).toEqual({
      facts: [],
      components: [],
      scores: [],
    });
  });

  it("names texts, parameters and demonstrations that changed, and no others", () => {
    const [a, b, c] = [shown("a"), shown("b"), shown("c")];
    const before = guide([
      { kind: "instruction", path: "answer", value: "Answer." },
      { kind: "demos", path: "judge", value: [a, b, c] },
    ]);
    const after = guide([
      { kind: "instruction", path: "answer", value: "Answer briefly." },
      { kind: "fieldDescription", path: "judge.label", value: "Whether they do." },
      { kind: "parameter", path: "hops", value: 4 },
      { kind: "demos", path: "judge", value: [c, a, shown("d")] },
    ]);
    const { components } = artifactDifference(before, after);
    expect(components).toHaveLength(4);
    expect(components).toEqual(
      expect.arrayContaining([
        {
          was: { kind: "fieldDescription", path: "judge.label", value: "What they allow." },
          now: { kind: "fieldDescription", path: "judge.label", value: "Whether they do." },
        },
        {
          was: { kind: "instruction", path: "answer", value: "Answer." },
          now: { kind: "instruction", path: "answer", value: "Answer briefly." },
        },
        {
          was: { kind: "demos", path: "judge", value: [a, b, c] },
          now: { kind: "demos", path: "judge", value: [c, a, shown("d")] },
        },
        {
          was: { kind: "parameter", path: "hops", value: 1 },
          now: { kind: "parameter", path: "hops", value: 4 },
        },
      ]),
    );
  });

  it("names what was declared, measured or searched otherwise", () => {
    const before = guide([]);
    const after = guide([], {
      changes: { version: "2", isReasoning: true, instruction: "Decide." },
      lm: { provider: "test", model: "other" },
      optimizer: { name: "gepa", seed: 1 },
    });
    const { facts } = artifactDifference(before, after);
    expect(facts.map(({ what }) => what)).toEqual([
      "version of the program",
      "LM",
      "optimizer",
      'kind of predictor "judge"',
      'declared instruction of predictor "judge"',
      'output "reasoning" of predictor "judge"',
    ]);
  });

  it("puts scores of the same metric and split beside each other", async () => {
    const [before, after] = [guide([]), await compileGuide()];
    expect(artifactDifference(before, after).scores).toEqual([
      { split: "val", metric: "token_f1", was: null, now: after.compiled.scores[0] },
    ]);
  });
});
