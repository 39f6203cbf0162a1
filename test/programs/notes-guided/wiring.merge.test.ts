import { describe, expect, it } from "vitest";
import {
  askClarification,
  buildNotes,
  classifyAnswerability,
  generateQueries,
  writeCompleteAnswer,
  writePartialAnswer,
} from "../../../signatures/index.ts";
import { stepWiring } from "../../support/step-wiring.ts";
import { typeErrors } from "../../support/type-errors.ts";

const { prelude, swaps, asDeclared } = stepWiring({
  askClarification,
  buildNotes,
  classifyAnswerability,
  generateQueries,
  writeCompleteAnswer,
  writePartialAnswer,
});

describe("wiring the steps of the notes-guided system", () => {
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(prelude, {
    ...Object.fromEntries(swaps.map(({ name, body }) => [name, body])),
    "as declared": asDeclared,
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
