import type { JsonSchema } from "espalier";
import { expect, test } from "vitest";
import { z } from "zod";
import { projected, schemaMisfit } from "../../../src/serve/model/schema-fit.ts";

const of = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema) as JsonSchema;
const person = z.object({
  name: z.string().max(20),
  age: z.int().min(0).max(150),
  mood: z.enum(["glad", "sad"]),
  friends: z.array(z.object({ name: z.string() })),
  note: z.string().nullable(),
});

test.each([
  ["the same", person, null],
  ["fewer properties", z.object({ name: z.string() }), null],
  ["a wider type", z.object({ age: z.number() }), null],
  ["more labels", z.object({ mood: z.enum(["glad", "sad", "calm"]) }), null],
  ["a text in place of labels", z.object({ mood: z.string() }), null],
  ["one of several", z.object({ age: z.union([z.string(), z.number()]) }), null],
  ["looser bounds", z.object({ name: z.string().max(30), age: z.int().min(-1) }), null],
  ["a property that there need not be", z.object({ colour: z.string().optional() }), null],
  ["anything", z.any(), null],
  [
    "a property that there is not",
    z.object({ colour: z.string() }),
    "$: the model gives no `colour`, but `name`, `age`, `mood`, `friends`, `note`",
  ],
  ["another type", z.object({ age: z.string() }), "$.age: the model gives integer, not string"],
  [
    "a type without null",
    z.object({ note: z.string() }),
    "$.note: the model gives null, not string",
  ],
  ["fewer labels", z.object({ mood: z.enum(["glad"]) }), '$.mood: the model may say "sad"'],
  [
    "tighter bounds",
    z.object({ name: z.string().max(10) }),
    "$.name: the model does not promise `maxLength` 10",
  ],
  [
    "a bound that the model has none of",
    z.object({ friends: z.array(z.object({ name: z.string() })).min(1) }),
    "$.friends: the model does not promise `minItems` 1",
  ],
  [
    "a property of an element",
    z.object({ friends: z.array(z.object({ age: z.number() })) }),
    "$.friends.items: the model gives no `age`, but `name`",
  ],
] as const)("a schema that wants %s", (_, wanted, expected) => {
  expect(schemaMisfit(of(wanted), of(person))).toBe(expected);
});

test("a keyword that is not understood is a reason, not a guess", () => {
  expect(schemaMisfit({ type: "object", patternProperties: {} }, of(person))).toBe(
    "$: the keyword `patternProperties` is not supported",
  );
});

test("recursive schemas end, and differ where they differ", () => {
  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree);
    },
  });
  const counted = z.object({
    name: z.number(),
    get children() {
      return z.array(counted);
    },
  });
  expect(schemaMisfit(of(tree), of(tree))).toBeNull();
  expect(schemaMisfit(of(counted), of(tree))).toBe("$.name: the model gives string, not number");
});

test("every value of the given schema fits the wanted one once projected", () => {
  const value = { name: "Ann", age: 3, mood: "sad", friends: [{ name: "Bo" }], note: null };
  for (const wanted of [
    z.strictObject({ name: z.string() }),
    z.strictObject({ friends: z.array(z.strictObject({ name: z.string() })) }),
    person,
  ]) {
    const schema = of(wanted);
    expect(schemaMisfit(schema, of(person))).toBeNull();
    expect(wanted.safeParse(projected(schema, value))).toMatchObject({ success: true });
  }
});
