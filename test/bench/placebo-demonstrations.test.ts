import type { Candidate } from "espalier";
import { expect, test } from "vitest";
import { dealt } from "./support/placebo-demonstrations.ts";

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
    expect(answers.some((text, place) => text === `It is ${"abcd"[place]}.`)).toBe(false);
    // Of two kinds, a and b, c and d.
    const [, byKind] = dealt(components, seed, ({ exampleId }) => String("ab".includes(exampleId)));
    if (byKind?.kind !== "demos") throw new Error("The demonstrations are gone.");
    const kinds = byKind.value.map(({ outputs }) =>
      /[ab]\./.test(JSON.stringify(outputs["answer"])),
    );
    expect(kinds).toEqual([false, false, true, true]);
  }
});
