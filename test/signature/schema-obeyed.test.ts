import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { conversation, passages, rankedPassages, signature, text } from "espalier";
import { fieldParser, jsonSchemaOf } from "../../src/signature/index.ts";

/** The keywords of JSON Schema that constrained decoders follow. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

it("parses whatever obeys the JSON schema of the fields", () => {
  const written = fieldsOf(3).chain((output) => {
    const { fields } = signature({ name: "step", instruction: "Do it.", input: {}, output });
    return fc.record({
      parse: fc.constant(fieldParser(output, "lenient")),
      values: obeying(jsonSchemaOf(fields.output) as Schema),
    });
  });
  fc.assert(
    fc.property(written, ({ parse, values }) => {
      expect(parse(values)).toMatchObject({ ok: true });
    }),
    { numRuns: 300, seed: 7 },
  );
});

function fieldsOf(depth: number): fc.Arbitrary<Record<string, z.ZodType>> {
  return fc.dictionary(
    fc.stringMatching(/^[a-z]{3,5}$/),
    fc.oneof(
      schemaOf(depth),
      schemaOf(depth).map((schema) => schema.optional()),
    ),
    { minKeys: 1, maxKeys: 4 },
  );
}

function schemaOf(depth: number): fc.Arbitrary<z.ZodType> {
  const bounds = fc
    .tuple(fc.nat(5), fc.nat(5))
    .map(([least, more]) => [least, least + more + 1] as const);
  const flat = fc.oneof(
    fc.constantFrom<z.ZodType>(
      text("note"),
      z.iso.date(),
      z.string().regex(/^[A-Z]{2}\d+$/),
      z.enum(["yes", "no"]),
      z.boolean(),
      z.int(),
      z.int32(),
      z.uint32(),
      z.number(),
      passages(),
      rankedPassages(),
      conversation(),
    ),
    bounds.map(([least, most]) => z.string().min(least).max(most)),
    bounds.map(([least, most]) => z.int().min(least).lt(most)),
    bounds.map(([least, most]) => z.number().gt(least).max(most)),
  );
  if (depth === 0) return flat;
  const inner = schemaOf(depth - 1);
  return fc.oneof(
    flat,
    inner.map((schema) => schema.nullable()),
    fc.tuple(inner, bounds).map(([schema, [least, most]]) => z.array(schema).min(least).max(most)),
    fieldsOf(depth - 1).map((shape) => z.object(shape)),
    fieldsOf(depth - 1).map((shape) => z.strictObject(shape).readonly()),
  );
}

/** Values of the schema; text within the basic plane, where JSON Schema counts as zod does. */
function obeying(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(obeying));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return schema.pattern === undefined
        ? fc.string({
            unit: fc.constantFrom("a", " ", "\n", "é", "語"),
            minLength: schema.minLength ?? 0,
            maxLength: Math.min(schema.maxLength ?? Infinity, (schema.minLength ?? 0) + 20),
          })
        : fc.stringMatching(new RegExp(schema.pattern));
    case "integer":
      return fc.integer({
        min: schema.minimum ?? (schema.exclusiveMinimum ?? -1_000_001) + 1,
        max: schema.maximum ?? (schema.exclusiveMaximum ?? 1_000_001) - 1,
      });
    case "number":
      return fc.double({
        min: schema.minimum ?? schema.exclusiveMinimum ?? -1e9,
        minExcluded: schema.exclusiveMinimum !== undefined,
        max: schema.maximum ?? schema.exclusiveMaximum ?? 1e9,
        maxExcluded: schema.exclusiveMaximum !== undefined,
        noNaN: true,
      });
    case "array":
      return fc.array(obeying(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? Infinity, (schema.minItems ?? 0) + 2),
      });
    case "object": {
      const properties = Object.entries(schema.properties ?? {});
      const isClosed = schema.additionalProperties === false;
      const optional = properties.filter(([name]) => schema.required?.includes(name) !== true);
      if (!isClosed || optional.length > 0) throw new Error("strict mode would refuse this object");
      return fc.record(Object.fromEntries(properties.map(([name, held]) => [name, obeying(held)])));
    }
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}`);
  }
}
