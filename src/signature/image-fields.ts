import { fieldMeta } from "./field-types.ts";
import type { Field, FieldShape } from "./schema/field-shape.ts";
import type { FieldSchema, FieldSchemas } from "./schema/field-values.ts";
import { unrepresentable } from "./schema/unrepresentable.ts";
import { definitionOf, innerOf } from "./schema/zod-definition.ts";
import { innerShapes } from "./union-shape.ts";

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

/** Whether any of the fields takes an image. */
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
      side === "input" ? "an image inside of another value" : "an image, which no model writes",
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
