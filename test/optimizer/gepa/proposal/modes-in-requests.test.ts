import { expect, it } from "vitest";
import { estimateTokens } from "espalier/optimizer";
import type { ReflectiveCase, ShownMode } from "espalier/optimizer";
import { bareCase } from "../../../../src/optimizer/gepa/lesson/example-as-case.ts";
import { renderCases } from "../../../../src/optimizer/gepa/proposal/render-cases.ts";

function caseOf(exampleId: string, feedback = `Said of ${exampleId}.`): ReflectiveCase {
  return { ...bareCase, exampleId, inputs: { question: exampleId }, outputs: {}, feedback };
}

function modeOf(name: string, failures: number, exampleIds: readonly string[]): ShownMode {
  return { name, description: `It is ${name}.`, failures, ofFailures: 23, exampleIds };
}

it("puts examples under their failure mode, with its count, and those of none last", () => {
  const cases = ["a", "b", "c", "d"].map((id) => caseOf(id));
  const modes = [modeOf("late", 7, ["b", "d"]), modeOf("wrong", 5, ["a"]), modeOf("odd", 1, [])];
  const lines = renderCases(cases, 4_000, { modes })
    .split("\n")
    .filter((line) => /^# |^It is|^Said/.test(line));
  expect(lines).toEqual([
    "# Failure mode: late (7 of 23 failures)",
    "It is late.",
    "# Example 1",
    "Said of b.",
    "# Example 2",
    "Said of d.",
    "# Failure mode: wrong (5 of 23 failures)",
    "It is wrong.",
    "# Example 3",
    "Said of a.",
    "# Failure mode: odd (1 of 23 failures)",
    "It is odd.",
    "# Of no failure mode",
    "# Example 4",
    "Said of c.",
  ]);
});

it("keeps modes and examples within the tokens that examples alone may take", () => {
  const cases = Array.from({ length: 16 }, (_, number) => caseOf(`e${number}`, "z".repeat(9_000)));
  const modes = Array.from({ length: 8 }, (_, number) => ({
    ...modeOf("x".repeat(100), 2, [`e${2 * number}`, `e${2 * number + 1}`]),
    description: "y".repeat(400),
  }));
  for (const most of [1_000, 6_000, 16_000]) {
    const text = renderCases(cases, most, { modes });
    expect(estimateTokens(text)).toBeLessThanOrEqual(most);
    expect(estimateTokens(text)).toBeGreaterThan(0.85 * most);
    expect(text.match(/^# Failure mode: /gmu)).toHaveLength(8);
  }
});

it("lets no description pass for an example", () => {
  const mode = { ...modeOf("late", 1, ["a"]), description: "# Example 1" };
  expect(renderCases([caseOf("a")], 4_000, { modes: [mode] })).toContain("\\# Example 1");
});
