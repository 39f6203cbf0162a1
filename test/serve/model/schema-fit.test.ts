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
    "$: the model returns no `colour`, but `name`, `age`, `mood`, `friends`, `note`",
  ],
  ["another type", z.object({ age: z.string() }), "$.age: the model returns integer, not string"],
  [
    "a type without null",
    z.object({ note: z.string() }),
    "$.note: the model returns null, not string",
  ],
  ["fewer labels", z.object({ mood: z.enum(["glad"]) }), '$.mood: the model may return "sad"'],
  [
    "tighter bounds",
    z.object({ name: z.string().max(10) }),
    "$.name: the model does not guarantee `maxLength` 10",
  ],
  [
    "a bound that the model has none of",
    z.object({ friends: z.array(z.object({ name: z.string() })).min(1) }),
    "$.friends: the model does not guarantee `minItems` 1",
  ],
  [
    "a property of an element",
    z.object({ friends: z.array(z.object({ age: z.number() })) }),
    "$.friends.items: the model returns no `age`, but `name`",
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
  expect(schemaMisfit(of(counted), of(tree))).toBe("$.name: the model returns string, not number");
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

/** A schema in which each definition refers twice to the next. */
function doubling(levels: number, keyword: string): JsonSchema {
  const name = (level: number) => ({ $ref: `#/$defs/x${level}` });
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `x${level}`,
      { [keyword]: [name(level + 1), name(level + 1)] },
    ]),
  );
  return { $defs: { ...$defs, [`x${levels}`]: { type: "string" } }, ...named(name(0)) };
}

const named = (name: JsonSchema): JsonSchema => ({ type: "object", properties: { name } });

test.each(["anyOf", "oneOf", "allOf"])("%s that doubles with each level ends", (keyword) => {
  expect(schemaMisfit(doubling(3, keyword), of(person))).toBeNull();
  // An alternative that fits at once needs no other.
  const problem = keyword === "allOf" ? "comparing it takes more than 20000 steps" : null;
  expect(schemaMisfit(doubling(60, keyword), of(person))).toBe(problem);
  const misfit = { ...doubling(60, keyword), ...named({ $ref: "#/$defs/x0", type: "integer" }) };
  expect(schemaMisfit(misfit, of(person))).toEqual(expect.any(String));
});

test("many references to one large schema end", () => {
  const large = { enum: Array.from({ length: 9_000 }, (_, index) => `m${index}`) };
  const anyOf = Array.from({ length: 9_000 }, () => ({ $ref: "#/$defs/large" }));
  expect(schemaMisfit({ $defs: { large }, ...named({ anyOf }) }, of(person))).not.toBeNull();
});

const endless = "a reference leads back to itself with no value in between";
const x = { $ref: "#/$defs/x" };
test.each<[string, JsonSchema, string | null]>([
  ["an alternative that is itself", { anyOf: [x, { type: "string" }] }, endless],
  ["itself", x, endless],
  ["another that leads back", { $ref: "#/$defs/y" }, endless],
  [
    "a file",
    { $ref: "file:///etc/passwd" },
    'the reference "file:///etc/passwd" does not lead to a schema in it',
  ],
  [
    "an inherited name",
    { $ref: "#/constructor/prototype" },
    'the reference "#/constructor/prototype" does not lead to a schema in it',
  ],
  [
    "a name that there is not",
    { $ref: "#/$defs/z" },
    'the reference "#/$defs/z" does not lead to a schema in it',
  ],
  ["a broken escape", { $ref: "#/%ff%" }, 'the reference "#/%ff%" does not lead to a schema in it'],
  ["no text", { $ref: 5 }, "the reference 5 does not lead to a schema in it"],
  ["any depth of the document", { $ref: "#/$defs/a~1b/properties/a%20b" }, null],
  [
    "another, with words of its own",
    { $ref: "#/$defs/text", maxLength: 9 },
    "$.name: the model does not guarantee `maxLength` 9",
  ],
])("a reference may lead to %s", (_, referred, expected) => {
  const $defs = {
    x: referred,
    y: x,
    text: { type: "string" },
    "a/b": { properties: { "a b": { type: "string" } } },
  };
  expect(schemaMisfit({ $defs, ...named(x) }, of(person))).toBe(expected);
});

test("a long chain of schemas, each in the one before, is refused and not followed", () => {
  const chain = (link: (next: JsonSchema) => JsonSchema): JsonSchema => {
    const $defs = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, level) => [
        `x${level}`,
        link({ $ref: `#/$defs/x${level + 1}` }),
      ]),
    );
    return { $defs: { ...$defs, x5000: { type: "string" } }, ...named({ $ref: "#/$defs/x0" }) };
  };
  const deep = "its parts are nested, or refer to each other, more than 200 deep";
  expect(
    schemaMisfit(
      chain((next) => next),
      of(person),
    ),
  ).toBe(deep);
  expect(
    schemaMisfit(
      chain((next) => ({ anyOf: [next] })),
      of(person),
    ),
  ).toBe(deep);
  const tree = z.object({
    get name() {
      return z.array(tree);
    },
  });
  expect(
    schemaMisfit(
      chain((next) => ({ items: named(next) })),
      of(tree),
    ),
  ).toBe(deep);
});

test("a property that every object inherits is not given", () => {
  for (const name of ["constructor", "toString", "__proto__"]) {
    const wanted = JSON.parse(
      `{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`,
    ) as JsonSchema;
    expect(schemaMisfit(wanted, of(person))).toContain(`the model returns no \`${name}\``);
    expect(JSON.stringify(projected({ ...wanted, required: [] }, { age: 3 }))).toBe('{"age":3}');
  }
});
