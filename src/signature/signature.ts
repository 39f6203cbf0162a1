import { EspalierError } from "../errors/index.ts";
import { isKebabCase, contentHash } from "../internal/index.ts";
import { describeFields } from "./shape-of.ts";
import type { Field, FieldShape } from "./schema/field-shape.ts";
import type { FieldSchemas, InputOf, OutputOf, FieldSchema } from "./schema/field-values.ts";
import { fieldMeta } from "./field-types.ts";
import { unrepresentable } from "./schema/unrepresentable.ts";
import { definitionOf, innerOf } from "./schema/zod-definition.ts";
import { innerShapes } from "./union-shape.ts";

/** Increases whenever the description of the same schema changes. */
export const fieldFormat = 1;

export interface SignatureDefinition<TInput extends FieldSchemas, TOutput extends FieldSchemas> {
  /** Kebab-case: `generate-queries`. */
  readonly name: string;
  /** What the model is instructed to do; the part that optimizers rewrite first. */
  readonly instruction: string;
  /** Inputs, in prompt order. */
  readonly input: TInput;
  /** Outputs, in the order in which the model writes them. */
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
  /** SHA-256 of each field's canonical description, so that errors can name a changed field. */
  readonly fieldHashes: Readonly<Record<string, string>>;
  /** SHA-256 over name, instruction and fields. */
  readonly hash: string;
  /** Types only: undefined at run time. */
  readonly $types: { readonly input: InputOf<TInput>; readonly output: OutputOf<TOutput> };
}

/**
 * Declares a language-model step.
 *
 * @throws EspalierError `signature-invalid` for an invalid name, no output, or a repeated field
 * name; `field-unrepresentable` for a field whose type cannot be described to a model
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
  refuseImages(fields.input, "input", `signature "${name}", input`);
  refuseImages(fields.output, "output", `signature "${name}", output`);
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

function checkNames({
  name,
  input,
  output,
}: SignatureDefinition<FieldSchemas, FieldSchemas>): void {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "signature-invalid",
      problem: "The signature is invalid",
      where: `signature "${name}"`,
      expected,
      got,
    });
  if (name.length > 64 || !isKebabCase(name)) {
    throw invalid("a name in kebab-case of at most 64 characters", `"${name}"`);
  }
  const outputs = Object.keys(output);
  if (outputs.length === 0) throw invalid("at least one output field", "none");
  for (const field of [...Object.keys(input), ...outputs]) {
    // ax rejects longer ones, but only at the first call.
    if (!/^[a-z][A-Za-z0-9]{0,49}$/.test(field)) {
      throw invalid("field names in camelCase, of at most 50 letters", `"${field}"`);
    }
    if (field in Object.prototype) {
      throw invalid("a name that is not a property of `Object.prototype`", `"${field}"`);
    }
  }
  const repeated = outputs.find((field) => Object.hasOwn(input, field));
  if (repeated !== undefined) {
    throw invalid("different names for inputs and outputs", `"${repeated}" in both`);
  }
}

// zod schemas stay unfrozen: freezing them would break their lazy internals.
function deepFreeze<TSignature extends Signature>(made: TSignature): TSignature {
  for (const field of [...made.fields.input, ...made.fields.output]) Object.freeze(field);
  for (const part of [made.input, made.output, made.fields.input, made.fields.output]) {
    Object.freeze(part);
  }
  Object.freeze(made.fields);
  Object.freeze(made.fieldHashes);
  return Object.freeze(made);
}

/** Whether a field holds one image, or a list of them. */
export function isImage({ shape }: Pick<Field, "shape">): "one" | "list" | false {
  const held = shape.kind === "nullable" ? shape.of : shape;
  if (held.kind === "image") return "one";
  return held.kind === "list" && held.items.kind === "image" && "list";
}

/** The same of a schema that need not be one that a signature can have. */
export function isImageSchema(schema: FieldSchema): boolean {
  if (fieldMeta.get(schema as never)?.fieldKind === "image") return true;
  const inner = innerOf(schema) ?? definitionOf(schema).element;
  return inner !== undefined && isImageSchema(inner);
}

export function takesImages(fields: FieldSchemas): boolean {
  return Object.values(fields).some(isImageSchema);
}

/** The fields that hold images, in order. */
export function imageFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(isImage);
}

/**
 * Refuses images where no prompt can show them.
 *
 * @param side `input` allows those that are a field of their own, or a list of them
 * @param where signature and side, for the error: `signature "answer", output`
 * @throws EspalierError `field-unrepresentable`
 */
export function refuseImages(
  fields: readonly Field[],
  side: "input" | "output",
  where: string,
): void {
  for (const field of fields) {
    const shapes = [field.shape, ...Object.values(field.definitions ?? {})];
    if (!shapes.some(holdsImage) || (side === "input" && isImage(field))) continue;
    throw unrepresentable(
      `${where} "${field.name}"`,
      side === "input" ? "an image inside another value" : "an image, which no model writes",
      side === "input"
        ? "Give the image a field of its own: image(), image().optional() or z.array(image())"
        : "Declare images as inputs, and let the model write what it sees",
    );
  }
}

function holdsImage(shape: FieldShape): boolean {
  if (shape.kind === "image") return true;
  const fields = shape.kind === "record" ? [shape.keys] : [];
  return [...fields, ...innerShapes(shape)].some(holdsImage);
}
