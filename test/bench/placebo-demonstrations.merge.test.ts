import type { Candidate } from "espalier";
import { expect, test } from "vitest";
import { dealt } from "./support/placebo-demonstrations.ts";
import { demonstrationRows, demonstrationSearches, luckyRow } from "./support/placebo-searches.ts";

const components: Candidate = [
  { kind: "instruction", path: "answer", value: "Answer." },
  {
    kind: "demos",
    path: "answer",
    value: ["a", "b", "c", "d"].map((id) => ({
      exampleId: id,
      inputs: { question: `What is ${id}?` },
      outputs: { answer: `It is ${id}.` },
    })),
  },
];

test("dealt demonstrations keep their inputs and have the outputs of others, all of them once", () => {
  for (const seed of [0, 1, 2, 3, 4]) {
    const [instruction, demos] = dealt(components, seed);
    expect(instruction).toEqual(components[0]);
    if (demos?.kind !== "demos") throw new Error("The demonstrations are gone.");
    expect(demos.value.map(({ inputs }) => inputs["question"])).toEqual(
      ["a", "b", "c", "d"].map((id) => `What is ${id}?`),
    );
    const answers = demos.value.map(({ outputs }) => outputs["answer"]);
    expect(answers.toSorted()).toEqual(["a", "b", "c", "d"].map((id) => `It is ${id}.`));
    expect(answers.some((text, index) => text === `It is ${"abcd"[index]}.`)).toBe(false);
    // Of two kinds, a and b, c and d.
    const [, byKind] = dealt(components, seed, ({ exampleId }) => String("ab".includes(exampleId)));
    if (byKind?.kind !== "demos") throw new Error("The demonstrations are gone.");
    const kinds = byKind.value.map(({ outputs }) =>
      /[ab]\./.test(JSON.stringify(outputs["answer"])),
    );
    expect(kinds).toEqual([false, false, true, true]);
  }
});

const { "mipro-v2": mipro } = demonstrationSearches;

test("miproV2() finds demonstrations that bring nothing once they are dealt", async () => {
  const [found, others] = await demonstrationRows(0, { mipro });
  expect(found?.interval?.low).toBeGreaterThan(0.3);
  expect(others).toMatchObject({ feedback: "dealt", difference: 0 });
});

// Over 60 seeds the gain is -.003 on average, what is claimed on val .06, and 13 of 60 programs
// show any. Demonstrations as found: .43 gained, .45 claimed.
test("miproV2() gains by no more than chance from demonstrations dealt while it searches", async () => {
  const seeds = [0, 1, 3];
  const rows = [];
  for (const seed of seeds) rows.push(await luckyRow(seed, ["miproV2()", mipro]));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(rows.map(({ difference }) => difference))).toBeLessThan(0.08);
  expect(rows.filter(({ interval }) => (interval?.low ?? 0) > 0).length).toBeLessThan(2);
  expect(rows.filter(({ shown }) => shown > 0).length).toBeLessThan(seeds.length);
  expect(mean(rows.map(({ claimed }) => claimed))).toBeLessThan(0.16);
  const found = await luckyRow(0, ["miproV2()", mipro], { areDealt: false });
  expect([found.difference, found.claimed].every((gain) => gain > 0.3)).toBe(true);
  expect(found.shown).toBeGreaterThan(0);
});
