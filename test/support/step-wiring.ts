import type { Field, Signature } from "espalier";

/** A wiring that compiles only where the two fields are of one kind. */
export interface FieldPair {
  readonly name: string;
  readonly fields: readonly [Field, Field];
  /** For `typeErrors`, after the prelude. */
  readonly body: string;
}

/** What a test of wiring compiles for a program's steps. */
export interface StepWiring {
  /** Declares `inputOf_STEP` and `outputOf_STEP` for each; optional fields are there. */
  readonly prelude: string;
  /** Every two inputs of a step, each in the place of the other. */
  readonly swaps: readonly FieldPair[];
  /** Every output of a step as every input of every step. */
  readonly handovers: readonly FieldPair[];
  /** All steps with their own inputs. */
  readonly asDeclared: string;
}

export function stepWiring<TName extends string>(
  signatures: Readonly<Record<TName, Pick<Signature, "fields">>>,
): StepWiring {
  const names = Object.keys(signatures) as TName[];
  const declared = names.flatMap((name) =>
    ["input", "output"].map(
      (side) => `declare const ${side}Of_${name}: Required<(typeof ${name})["$types"]["${side}"]>;`,
    ),
  );
  const swaps = names.flatMap((step) => {
    const { input } = signatures[step].fields;
    return input.flatMap((first, index) =>
      input.slice(index + 1).map((second) => ({
        name: `${step}: ${first.name} and ${second.name}`,
        fields: [first, second] as const,
        body: `predict(${step}).render({ ...inputOf_${step},
          ${first.name}: inputOf_${step}.${second.name}, ${second.name}: inputOf_${step}.${first.name} });`,
      })),
    );
  });
  const handovers = names.flatMap((from) =>
    signatures[from].fields.output.flatMap((output) =>
      names.flatMap((to) =>
        signatures[to].fields.input.map((input) => ({
          name: `${from}.${output.name} as ${to}.${input.name}`,
          fields: [output, input] as const,
          body: `predict(${to}).render({ ...inputOf_${to}, ${input.name}: outputOf_${from}.${output.name} });`,
        })),
      ),
    ),
  );
  return {
    prelude: `
      import { predict } from "espalier";
      import { ${names.join(", ")} } from "../../signatures/index.ts";
      ${declared.join("\n")}
    `,
    swaps,
    handovers,
    asDeclared: names.map((name) => `predict(${name}).render(inputOf_${name});`).join("\n"),
  };
}
