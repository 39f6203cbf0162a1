import { describe, expect, it } from "vitest";
import type { Field } from "espalier";
import {
  adjustAnswer,
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
import { typeErrors } from "../../support/type-errors.ts";

const signatures = {
  adjustAnswer,
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

/** Every two inputs of a step, changed for each other. */
const swaps = names.flatMap((name) => {
  const { input } = signatures[name].fields;
  return input.flatMap((first, index) =>
    input.slice(index + 1).map((second) => ({
      name: `${name}: ${first.name} and ${second.name}`,
      isSame: kindOf(first) === kindOf(second),
      body: `predict(${name}).render({ ...inputOf_${name},
        ${first.name}: inputOf_${name}.${second.name}, ${second.name}: inputOf_${name}.${first.name} });`,
    })),
  );
});

/** Every text that a step gives, handed to every text input of every step. */
const handovers = names.flatMap((from) =>
  signatures[from].fields.output
    .filter(({ shape }) => shape.kind === "text")
    .flatMap((output) =>
      names.flatMap((to) =>
        signatures[to].fields.input
          .filter(({ shape }) => shape.kind === "text")
          .map((input) => ({
            name: `${from}.${output.name} as ${to}.${input.name}`,
            isSame: kindOf(output) === kindOf(input),
            body: `predict(${to}).render({ ...inputOf_${to}, ${input.name}: outputOf_${from}.${output.name} });`,
          })),
      ),
    ),
);

describe("wiring the steps of generation and gate", { timeout: 120_000 }, () => {
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(prelude, {
    ...Object.fromEntries([...swaps, ...handovers].map(({ name, body }) => [name, body])),
    "as declared": names.map((name) => `predict(${name}).render(inputOf_${name});`).join("\n"),
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
        "Type 'Text<"message">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but was given text in the role \\"message\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"message\\" takes text in the role \\"message\\", but was given text in the role \\"question\\""'.",
      ]
    `);
    expect(errors["insistOnAnswer: question and spans"]).toMatchInlineSnapshot(`
      [
        "Type 'readonly Text<"span">[]' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but was given a list of texts in the role \\"span\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"spans\\" takes a list of texts in the role \\"span\\", but was given text in the role \\"question\\""'.",
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
