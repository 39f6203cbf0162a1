import { EspalierError } from "../../errors/index.ts";

/** The error for a field whose type cannot be described exactly to a model. */
export function unrepresentable(where: string, got: string, fix: string): EspalierError {
  return new EspalierError({
    code: "field-unrepresentable",
    problem: "A field cannot be described to a language model",
    where,
    got,
    fix,
  });
}

/** The same for a type of zod that has no description, with the nearest that has one. */
export function unrepresentableType(where: string, type: string): EspalierError {
  return unrepresentable(where, `a zod \`${type}\``, nearest[type] ?? anyKnown);
}

const anyKnown =
  "Use text(), passages(), conversation(), image(), or zod's string, number, int, boolean, enum, literal, array, tuple, object, record, union, nullable, optional, default";

const nearest: Readonly<Record<string, string>> = {
  date: "Use z.iso.date() or text() and parse it in the program",
  pipe: "Declare what the model writes and transform it in the program",
  transform: "Declare what the model writes and transform it in the program",
  optional: "Put .optional() on the field or key; elsewhere use .nullable()",
  default: "Put .default() on the field or key; elsewhere use .nullable()",
  prefault: "Use .default()",
  catch: "Leave out .catch(): a reply that does not fit is corrected",
  nonoptional: "Leave out .optional() where the value must be there",
  undefined: "Use .optional()",
  void: "Use .optional()",
  any: "Declare the type that the field holds",
  unknown: "Declare the type that the field holds",
  never: "Leave out the field",
  intersection: "Use one object: a.extend(b.shape)",
  map: "Use z.record(z.string(), ...)",
  set: "Use z.array(...)",
  bigint: "Use z.int(), or z.string() with a pattern",
  nan: "Use z.number().nullable()",
  template_literal: "Use z.string().regex(...)",
  custom: "Use z.string(), z.number() or z.object(...), and .refine(check, { params: { id } })",
};
