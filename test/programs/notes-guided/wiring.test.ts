import { describe, expect, it } from "vitest";
import type { Field } from "espalier";
import {
  askClarification,
  buildNotes,
  classifyAnswerability,
  generateQueries,
  writeCompleteAnswer,
  writePartialAnswer,
} from "../../../signatures/index.ts";
import { typeErrors } from "../../support/type-errors.ts";

const signatures = {
  askClarification,
  buildNotes,
  classifyAnswerability,
  generateQueries,
  writeCompleteAnswer,
  writePartialAnswer,
};
type Name = keyof typeof signatures;
const names = Object.keys(signatures) as Name[];

const prelude = `
  import { predict } from "espalier";
  import { ${names.join(", ")} } from "../../signatures/index.ts";
  ${names
    .flatMap((name) =>
      (["input", "output"] as const).map(
        (side) => `declare const ${side}Of_${name}: (typeof ${name})["$types"]["${side}"];`,
      ),
    )
    .join("\n")}
`;

/** Two inputs of one step, changed for each other. */
const swaps = names.flatMap((name) =>
  pairs(signatures[name].fields.input).map(([first, second]) => ({
    name: `${name}: ${first.name} and ${second.name}`,
    body: `predict(${name}).render({ ...inputOf_${name},
      ${first.name}: inputOf_${name}.${second.name}, ${second.name}: inputOf_${name}.${first.name} });`,
  })),
);

describe("wiring the steps of the notes-guided system", { timeout: 120_000 }, () => {
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(prelude, {
    ...Object.fromEntries(swaps.map(({ name, body }) => [name, body])),
    "as declared": names.map((name) => `predict(${name}).render(inputOf_${name});`).join("\n"),
    "a query for the question": `predict(buildNotes).render({ ...inputOf_buildNotes,
      question: outputOf_generateQueries.query1 });`,
    "findings for the question": `predict(generateQueries).render({ ...inputOf_generateQueries,
      question: outputOf_buildNotes.keyFindings });`,
    "an answer for notes": `predict(generateQueries).render({ ...inputOf_generateQueries,
      notes: outputOf_writeCompleteAnswer.answer });`,
    "queries where queries are asked": `predict(buildNotes).render({ ...inputOf_buildNotes,
      queries: [outputOf_generateQueries.query1, outputOf_generateQueries.rerankQuery] });`,
  });

  it("compiles as declared, and where a step takes what another gives", () => {
    expect(errors["as declared"]).toEqual([]);
    expect(errors["queries where queries are asked"]).toEqual([]);
  });

  it("refuses every two inputs of different kinds in each other's place", () => {
    expect(swaps.length).toBeGreaterThanOrEqual(15);
    expect(swaps.filter(({ name }) => errors[name]?.length === 0)).toEqual([]);
  });

  it.each(["a query for the question", "findings for the question", "an answer for notes"])(
    "refuses %s, in a sentence",
    (name) => {
      expect(errors[name]?.join("\n")).toMatch(/espalier: input/);
    },
  );
});

function pairs(fields: readonly Field[]): readonly (readonly [Field, Field])[] {
  return fields.flatMap((first, place) =>
    fields.slice(place + 1).map((second) => [first, second] as const),
  );
}
