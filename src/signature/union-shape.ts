import type { FieldShape } from "./schema/field-shape.ts";
import { unrepresentable } from "./schema/unrepresentable.ts";
import type { ZodDefinition } from "./schema/zod-definition.ts";

/**
 * The shape of a union in its simplest form, so that two ways to write one type are described the
 * same: literals become one label, and a member `null` makes the rest nullable.
 */
export function unionShape(
  { discriminator, inclusive }: Pick<ZodDefinition, "discriminator" | "inclusive">,
  members: readonly FieldShape[],
  where: string,
): FieldShape {
  if (discriminator !== undefined) return { kind: "union", key: discriminator, of: members };
  if (inclusive === false) {
    throw unrepresentable(
      where,
      "a union of which exactly one member may fit",
      "Use z.union, or z.discriminatedUnion with a key that tells the members apart",
    );
  }
  const constants = members.flatMap((member) => (member.kind === "constant" ? member.values : []));
  const labels = members.flatMap((member) => (member.kind === "label" ? member.options : []));
  const plain = constants.filter((value) => value !== null);
  const kept: readonly FieldShape[] = [
    ...members.filter(({ kind }) => kind !== "constant" && kind !== "label"),
    ...(labels.length === 0 ? [] : [{ kind: "label", options: [...new Set(labels)] } as const]),
    ...(plain.length === 0 ? [] : [{ kind: "constant", values: [...new Set(plain)] } as const]),
  ];
  const [only] = kept;
  if (only === undefined) return { kind: "constant", values: [null] };
  const shape: FieldShape = kept.length === 1 ? only : { kind: "union", of: kept };
  return constants.includes(null) ? { kind: "nullable", of: shape } : shape;
}

/**
 * Refuses a recursive union of several objects, or of several lists, without a key to tell them
 * apart: zod would try each of them at each level, which takes exponential time in a deep reply.
 *
 * @param definitions the recursive shapes of a field, by name
 */
export function checkRecursiveUnions(
  definitions: ReadonlyMap<string, FieldShape>,
  where: string,
): void {
  const containerOf = (shape: FieldShape, seen: ReadonlySet<string>): string | undefined => {
    switch (shape.kind) {
      case "object":
      case "record":
        return "objects";
      case "list":
      case "tuple":
      case "passages":
      case "conversation":
        return "lists";
      case "nullable":
        return containerOf(shape.of, seen);
      case "reference": {
        const target = definitions.get(shape.to);
        if (target === undefined || seen.has(shape.to)) return undefined;
        return containerOf(target, new Set([...seen, shape.to]));
      }
      default:
        return undefined;
    }
  };
  const check = (shape: FieldShape): void => {
    if (shape.kind === "union" && shape.key === undefined) {
      const containers = shape.of
        .map((member) => (member.kind === "union" ? "unions" : containerOf(member, new Set())))
        .filter((kind) => kind !== undefined);
      const repeated = containers.find((kind, index) => containers.indexOf(kind) < index);
      if (repeated !== undefined) {
        throw unrepresentable(
          where,
          `a recursive union of several ${repeated} without a key that tells them apart`,
          "Use z.discriminatedUnion(key, [...])",
        );
      }
    }
    for (const part of innerShapes(shape)) check(part);
  };
  for (const shape of definitions.values()) check(shape);
}

/** The shapes directly inside of a shape; a reference has none. */
export function innerShapes(shape: FieldShape): readonly FieldShape[] {
  switch (shape.kind) {
    case "list":
      return [shape.items];
    case "tuple":
      return [...shape.items, ...(shape.rest === undefined ? [] : [shape.rest])];
    case "object":
      return shape.fields.map((field) => field.shape);
    case "record":
      return [shape.values];
    case "union":
      return shape.of;
    case "nullable":
      return [shape.of];
    default:
      return [];
  }
}
