import { describe, expect, it } from "vitest";
import type { Field } from "espalier";
import {
  judgeComplexity,
  reformulateQuery,
  reviewDocuments,
  varyQuery,
  writeCitedAnswer,
} from "../../../signatures/index.ts";
import type { FieldPair } from "../../support/step-wiring.ts";
import { stepWiring } from "../../support/step-wiring.ts";
import { typeErrors } from "../../support/type-errors.ts";

const wiring = stepWiring({
  judgeComplexity,
  reformulateQuery,
  reviewDocuments,
  varyQuery,
  writeCitedAnswer,
});
const withKinds = (pairs: readonly FieldPair[]) =>
  pairs.map((pair) => ({ ...pair, isSame: sort(pair.fields[0]) === sort(pair.fields[1]) }));
const [swaps, handovers] = [withKinds(wiring.swaps), withKinds(wiring.handovers)];

describe("wiring the steps of R2RAG", () => {
  const cases = [...swaps, ...handovers];
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(wiring.prelude, {
    ...Object.fromEntries(cases.map(({ name, body }) => [name, body])),
    "as declared": wiring.asDeclared,
  });

  it("compiles as declared", () => {
    expect(errors["as declared"]).toEqual([]);
  });

  it("compiles exactly where both sides are of one kind", () => {
    const compiling = cases.filter(({ name }) => errors[name]?.length === 0);
    expect(compiling.map(({ name }) => name)).toEqual(
      cases.filter(({ isSame }) => isSame).map(({ name }) => name),
    );
  });

  it("looks at every two inputs of a step, none of which are of one kind", () => {
    // 10 of the review, 6 of the answer, 1 of the variants; the others have one input.
    expect(swaps).toHaveLength(17);
    expect(swaps.filter(({ isSame }) => isSame)).toEqual([]);
  });

  it("says in words what was given in the place of what", () => {
    expect(errors["reviewDocuments: question and query"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"query">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but got text in the role \\"query\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"query\\" takes text in the role \\"query\\", but got text in the role \\"question\\""'.",
      ]
    `);
    expect(errors["reviewDocuments: earlierQueries and earlierSummaries"]).toMatchInlineSnapshot(`
      [
        "Type 'readonly Text<"summary">[]' is not assignable to type '"espalier: input \\"earlierQueries\\" takes a list of texts in the role \\"query\\", but got a list of texts in the role \\"summary\\""'.",
        "Type 'readonly Text<"query">[]' is not assignable to type '"espalier: input \\"earlierSummaries\\" takes a list of texts in the role \\"summary\\", but got a list of texts in the role \\"query\\""'.",
      ]
    `);
    expect(errors["reviewDocuments.summary as writeCitedAnswer.documents"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"summary">' is not assignable to type '"espalier: input \\"documents\\" takes text in the role \\"documents\\", but got text in the role \\"summary\\""'.",
      ]
    `);
  });
});

/** Fields of one kind may stand for each other; the role of a text is part of its kind. */
function sort({ shape }: Field): string {
  return JSON.stringify(shape, (key, value: unknown) =>
    ["maxLength", "minLength", "minimum", "maximum", "minItems", "maxItems"].includes(key)
      ? undefined
      : value,
  );
}
