import { describe, expect, it } from "vitest";
import type { Field } from "espalier";
import {
  answerDirectly,
  answerFromPassages,
  answerFromSteps,
  askAboutEntity,
  combineQuestions,
  decomposeQuestion,
  judgeEnding,
  judgeRelevance,
  refineQuestion,
  routeQuestion,
} from "../../../signatures/index.ts";
import type { FieldPair } from "../../support/step-wiring.ts";
import { stepWiring } from "../../support/step-wiring.ts";
import { typeErrors } from "../../support/type-errors.ts";

const wiring = stepWiring({
  answerDirectly,
  answerFromPassages,
  answerFromSteps,
  askAboutEntity,
  combineQuestions,
  decomposeQuestion,
  judgeEnding,
  judgeRelevance,
  refineQuestion,
  routeQuestion,
});
const prelude = `
  import type { Text } from "espalier";
  ${wiring.prelude}
  declare const thoughts: Text<"thought">;
`;
const withKinds = (pairs: readonly FieldPair[]) =>
  pairs.map((pair) => ({ ...pair, isSame: sort(pair.fields[0]) === sort(pair.fields[1]) }));
const swaps = withKinds(wiring.swaps);
const handovers = withKinds(wiring.handovers).filter(
  // A label is a word, and plain words may stand wherever text is asked.
  ({ fields: [output, input] }) => output.shape.kind !== "label" || input.shape.kind !== "text",
);

describe("wiring the steps of HANRAG", () => {
  const cases = [...swaps, ...handovers];
  const bodies = Object.fromEntries(cases.map(({ name, body }) => [name, body]));
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(prelude, {
    ...bodies,
    "as declared": wiring.asDeclared,
    "a thought for a question": `predict(routeQuestion).render({ question: thoughts });`,
  });

  it("compiles as declared", () => {
    expect(errors["as declared"]).toEqual([]);
  });

  it("says in words what was given in the place of what", () => {
    expect(errors["a thought for a question"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"thought">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but got text in the role \\"thought\\""'.",
      ]
    `);
    expect(errors["judgeRelevance: question and passage"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"passage">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but got text in the role \\"passage\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"passage\\" takes text in the role \\"passage\\", but got text in the role \\"question\\""'.",
      ]
    `);
  });

  it("refuses every two inputs of different kinds in each other's place", () => {
    expect(swaps.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "answerFromPassages: question and passages",
        "answerFromSteps: question and thought",
        "askAboutEntity: entity and document",
        "judgeEnding: question and thought",
        "judgeRelevance: question and passage",
        "refineQuestion: question and thought",
      ]
    `);
    expect(swaps.filter(({ isSame }) => isSame)).toEqual([]);
    expect(swaps.filter(({ name }) => errors[name]?.length === 0)).toEqual([]);
  });

  it("takes what one step gives where another asks for that kind, and nowhere else", () => {
    const compiled = handovers.filter(({ name }) => errors[name]?.length === 0);
    expect(compiled).toEqual(handovers.filter(({ isSame }) => isSame));
    expect(compiled.length).toBeGreaterThan(20);
    expect(handovers.length - compiled.length).toBeGreaterThan(100);
  });
});

/** Kind and role of a field, without its bounds. */
function sort({ shape }: Field): string {
  if (shape.kind === "text") return `text:${shape.role ?? ""}`;
  if (shape.kind === "list" && shape.items.kind === "text")
    return `texts:${shape.items.role ?? ""}`;
  return shape.kind;
}
