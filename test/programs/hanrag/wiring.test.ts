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
import { typeErrors } from "../../support/type-errors.ts";

const signatures = {
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
};
type Name = keyof typeof signatures;
const names = Object.keys(signatures) as Name[];
const fieldsOf = (name: Name, side: "input" | "output"): readonly Field[] =>
  signatures[name].fields[side];

const prelude = `
  import { predict } from "espalier";
  import type { Text } from "espalier";
  import { ${names.join(", ")} } from "../../signatures/index.ts";
  declare const thoughts: Text<"thought">;
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
  pairs(fieldsOf(name, "input")).map(([first, second]) => ({
    name: `${name}: ${first.name} and ${second.name}`,
    isSame: sort(first) === sort(second),
    body: `predict(${name}).render({ ...inputOf_${name},
      ${first.name}: inputOf_${name}.${second.name}, ${second.name}: inputOf_${name}.${first.name} });`,
  })),
);

/** What one step gives, handed to another: every output to every input. */
const handovers = names.flatMap((from) =>
  fieldsOf(from, "output").flatMap((output) =>
    names.flatMap((to) =>
      fieldsOf(to, "input")
        // A label is a word, and plain words may stand wherever text is asked.
        .filter((input) => output.shape.kind !== "label" || input.shape.kind !== "text")
        .map((input) => ({
          name: `${from}.${output.name} as ${to}.${input.name}`,
          isSame: sort(output) === sort(input),
          body: `predict(${to}).render({ ...inputOf_${to}, ${input.name}: outputOf_${from}.${output.name} });`,
        })),
    ),
  ),
);

describe("wiring the steps of HANRAG", { timeout: 120_000 }, () => {
  const cases = [...swaps, ...handovers];
  const bodies = Object.fromEntries(cases.map(({ name, body }) => [name, body]));
  const errors: Readonly<Record<string, readonly string[]>> = typeErrors(prelude, {
    ...bodies,
    "as declared": names.map((name) => `predict(${name}).render(inputOf_${name});`).join("\n"),
    "a thought for a question": `predict(routeQuestion).render({ question: thoughts });`,
  });

  it("compiles as declared", () => {
    expect(errors["as declared"]).toEqual([]);
  });

  it("says in words what was given in the place of what", () => {
    expect(errors["a thought for a question"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"thought">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but was given text in the role \\"thought\\""'.",
      ]
    `);
    expect(errors["judgeRelevance: question and passage"]).toMatchInlineSnapshot(`
      [
        "Type 'Text<"passage">' is not assignable to type '"espalier: input \\"question\\" takes text in the role \\"question\\", but was given text in the role \\"passage\\""'.",
        "Type 'Text<"question">' is not assignable to type '"espalier: input \\"passage\\" takes text in the role \\"passage\\", but was given text in the role \\"question\\""'.",
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

function pairs<TItem>(items: readonly TItem[]): readonly (readonly [TItem, TItem])[] {
  return items.flatMap((first, index) =>
    items.slice(index + 1).map((second) => [first, second] as const),
  );
}
