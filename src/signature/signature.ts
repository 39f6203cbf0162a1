import { EspalierError } from "../errors/index.ts";
import { contentHash } from "../internal/index.ts";
import { describeField } from "./describe-field.ts";
import type { Field } from "./field-shape.ts";
import type { FieldSchemas, InputOf, OutputOf } from "./field-values.ts";

/** Changes whenever the same schema would be described differently. */
export const fieldFormat = 1;

export interface SignatureDefinition<TInput extends FieldSchemas, TOutput extends FieldSchemas> {
  /** Kebab-case: `generate-queries`. */
  readonly name: string;
  /** What the step does, as the model is told; the part that optimizers rewrite first. */
  readonly instruction: string;
  /** What the step takes, in prompt order. */
  readonly input: TInput;
  /** What the step gives, in the order the model writes it. */
  readonly output: TOutput;
}

/** The typed contract of one language-model step. Frozen plain data. */
export interface Signature<
  TInput extends FieldSchemas = FieldSchemas,
  TOutput extends FieldSchemas = FieldSchemas,
> {
  readonly name: string;
  readonly instruction: string;
  readonly input: TInput;
  readonly output: TOutput;
  /** Canonical descriptions of the fields, in order. */
  readonly fields: { readonly input: readonly Field[]; readonly output: readonly Field[] };
  /** SHA-256 of each field's canonical description, so that a changed field can be named. */
  readonly fieldHashes: Readonly<Record<string, string>>;
  /** SHA-256 over name, instruction and fields. */
  readonly hash: string;
  /** Types only: undefined at run time. */
  readonly $types: { readonly input: InputOf<TInput>; readonly output: OutputOf<TOutput> };
}

/**
 * Declares a language-model step.
 *
 * @throws EspalierError `signature-invalid` for a wrong name, no output, or a field name that is
 *   repeated; `field-unrepresentable` for a field whose type cannot be described to a model
 * @example
 * const answer = signature({
 *   name: "answer",
 *   instruction: "Answer the question from the passages.",
 *   input: { question: text("question"), passages: passages() },
 *   output: { answer: text("answer", "One sentence.") },
 * });
 */
export function signature<const TInput extends FieldSchemas, const TOutput extends FieldSchemas>(
  definition: SignatureDefinition<TInput, TOutput>,
): Signature<TInput, TOutput> {
  const { name, instruction, input, output } = definition;
  checkNames(definition);
  const fields = {
    input: describeFields(input, `signature "${name}", input`),
    output: describeFields(output, `signature "${name}", output`),
  };
  const fieldHashes = Object.fromEntries(
    [...fields.input, ...fields.output].map((field) => [field.name, contentHash(field)]),
  );
  const $types = undefined as unknown as Signature<TInput, TOutput>["$types"];
  return deepFreeze({
    name,
    instruction,
    input: { ...input },
    output: { ...output },
    fields,
    fieldHashes,
    hash: contentHash({ fieldFormat, name, instruction, fields }),
    $types,
  });
}

function describeFields(schemas: FieldSchemas, where: string): readonly Field[] {
  return Object.entries(schemas).map(([name, schema]) =>
    describeField(name, schema, `${where} "${name}"`),
  );
}

function checkNames({
  name,
  input,
  output,
}: SignatureDefinition<FieldSchemas, FieldSchemas>): void {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "signature-invalid",
      problem: "A signature is declared wrongly",
      where: `signature "${name}"`,
      expected,
      got,
    });
  if (name.length > 64 || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw invalid("a name in kebab-case of at most 64 characters", `"${name}"`);
  }
  const outputs = Object.keys(output);
  if (outputs.length === 0) throw invalid("at least one output field", "none");
  for (const field of [...Object.keys(input), ...outputs]) {
    // ax refuses a single letter, and would do so only at the first call.
    if (!/^[a-z][A-Za-z0-9]+$/.test(field)) {
      throw invalid("field names in camelCase, of at least two letters", `"${field}"`);
    }
    if (field in Object.prototype) {
      throw invalid("field names that objects do not have anyway", `"${field}"`);
    }
  }
  const repeated = outputs.find((field) => Object.hasOwn(input, field));
  if (repeated !== undefined) {
    throw invalid("names that are not both input and output", `"${repeated}" in both`);
  }
}

// zod schemas are left as they are: freezing them would break their lazy internals.
function deepFreeze<TSignature extends Signature>(made: TSignature): TSignature {
  for (const field of [...made.fields.input, ...made.fields.output]) Object.freeze(field);
  for (const part of [made.input, made.output, made.fields.input, made.fields.output]) {
    Object.freeze(part);
  }
  Object.freeze(made.fields);
  Object.freeze(made.fieldHashes);
  return Object.freeze(made);
}
