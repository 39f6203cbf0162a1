import { describe, expect, it } from "vitest";
import type { Field } from "espalier";
import {
  adjustAnswer,
  arbitrateVerdicts,
  checkHistory,
  declineToAnswer,
  expandQuestion,
  extractSpans,
  insistOnAnswer,
  judgeAnswer,
  judgeAnswerability,
  judgeDocuments,
  judgeGrounding,
  judgePreference,
  judgeSpans,
  replyToRemark,
  writeCandidateAnswer,
  writeGroundedAnswer,
} from "../../../signatures/index.ts";
import type { FieldPair } from "../../support/step-wiring.ts";
import { stepWiring } from "../../support/step-wiring.ts";
import { typeErrors } from "../../support/type-errors.ts";

const wiring = stepWiring({
  adjustAnswer,
  arbitrateVerdicts,
  checkHistory,
  declineToAnswer,
  expandQuestion,
  extractSpans,
  insistOnAnswer,
  judgeAnswer,
  judgeAnswerability,
  judgeDocuments,
  judgeGrounding,
  judgePreference,
  judgeSpans,
  replyToRemark,
  writeCandidateAnswer,
  writeGroundedAnswer,
});
const withKinds = (pairs: readonly FieldPair[]) =>
  pairs.map((pair) => ({ ...pair, isSame: kindOf(pair.fields[0]) === kindOf(pair.fields[1]) }));
const swaps = withKinds(wiring.swaps);
/** Every text that a step gives, handed to every text input of every step. */
const handovers = withKinds(
  wiring.handovers.filter(({ fields }) => fields.every(({ shape }) => shape.kind === "text")),
);

describe("wiring the steps of generation and gate", () => {
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(wiring.prelude, {
    ...Object.fromEntries([...swaps, ...handovers].map(({ name, body }) => [name, body])),
    "as declared": wiring.asDeclared,
  });
  const compiling = (cases: readonly { readonly name: string }[]) =>
    cases.flatMap(({ name }) => (errors[name]?.length === 0 ? [name] : []));
  const ofOneKind = (cases: readonly { readonly name: string; readonly isSame: boolean }[]) =>
    cases.flatMap(({ name, isSame }) => (isSame ? [name] : []));

  it("compiles as declared", () => {
    expect(errors["as declared"]).toEqual([]);
  });

  it("refuses every two inputs of different roles in each other's place", () => {
    expect(swaps.length).toBeGreaterThan(70);
    expect(compiling(swaps)).toEqual(ofOneKind(swaps));
    // The two candidates play one role, and numbers have none.
    expect(ofOneKind(swaps).every((name) => /^judge(Grounding|Preference): /.test(name))).toBe(
      true,
    );
  });

  it("takes a text where another step asks for its role, and nowhere else", () => {
    expect(handovers.length).toBeGreaterThan(200);
    expect(compiling(handovers)).toEqual(ofOneKind(handovers));
  });

  it("says in words what was given in the place of what", () => {
    expect(errors["judgeAnswer: question and message"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"message">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but got text in the role \\"message\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"message\\" takes text in the role \\"message\\", but got text in the role \\"question\\""'.",
      ]
    `);
    expect(errors["insistOnAnswer: question and spans"]).toMatchInlineSnapshot(`
      [
        "Type 'readonly Text<"span">[]' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but got a list of texts in the role \\"span\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"spans\\" takes a list of texts in the role \\"span\\", but got text in the role \\"question\\""'.",
      ]
    `);
  });
});

/** Kind and role of a field, without its bounds. */
function kindOf({ shape }: Field): string {
  if (shape.kind === "text") return `text:${shape.role ?? ""}`;
  if (shape.kind === "list" && shape.items.kind === "text") {
    return `texts:${shape.items.role ?? ""}`;
  }
  return shape.kind;
}
