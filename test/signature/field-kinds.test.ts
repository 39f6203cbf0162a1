import { describe, expect, it } from "vitest";
import { z } from "zod";
import { predict, signature, text } from "espalier";
import type { FieldSchema, InputOf, OutputOf } from "espalier";
import { fieldParser, inputExcess, jsonSchemaOf, longestText } from "../../src/signature/index.ts";

const within = (field: FieldSchema, name = "field") =>
  signature({ name: "step", instruction: "Do it.", input: {}, output: { [name]: field } });

const schemaOf = (field: FieldSchema) => {
  const schema = jsonSchemaOf(within(field).fields.output);
  const { field: property } = schema["properties"] as Record<string, unknown>;
  return { property, $defs: schema["$defs"] };
};

const read = (field: FieldSchema, value: unknown) =>
  fieldParser({ field }, "lenient")({ field: value });

const fileNode = z.object({
  name: z.string(),
  note: z.string().optional(),
  get children() {
    return z.array(fileNode).max(3);
  },
});

const figure = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number(), label: z.string().optional() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);

describe("JSON schema of", () => {
  it.each([
    ["a union", z.union([z.string().max(9), z.int()])],
    ["a discriminated union", figure],
    ["a record", z.record(z.string(), z.int())],
    ["a record over labels", z.record(z.enum(["low", "high"]), z.int())],
    ["a tuple", z.tuple([z.string().max(9), z.int()])],
    ["a tuple with a rest", z.tuple([z.boolean()], z.int())],
    ["a default", z.int().default(3)],
    ["literals of several kinds", z.literal(["none", 1, true, null])],
    ["a recursive object", fileNode.describe("The root.")],
    ["any JSON", z.json()],
  ])("%s", (_, field) => {
    expect(schemaOf(field)).toMatchSnapshot();
  });

  it("two fields with recursive types keeps their definitions apart", () => {
    const { fields } = signature({
      name: "step",
      instruction: "Do it.",
      input: {},
      output: { tree: fileNode, other: z.array(fileNode) },
    });
    expect(Object.keys(jsonSchemaOf(fields.output)["$defs"] as object)).toEqual(["tree", "other"]);
  });
});

describe("descriptions of types that mean the same are the same:", () => {
  it.each([
    [
      "a union of literals and an enum",
      z.union([z.literal("a"), z.literal("b")]),
      z.enum(["a", "b"]),
    ],
    ["a union with null and a nullable", z.union([z.null(), z.int()]), z.int().nullable()],
    [
      "a record over labels and a strict object",
      z.record(z.enum(["ab", "cd"]), z.int()),
      z.strictObject({ ab: z.int(), cd: z.int() }),
    ],
    ["a default in either order", z.int().default(1).optional(), z.int().optional().default(1)],
  ])("%s", (_, one, other) => {
    expect(within(one).hash).toBe(within(other).hash);
  });

  it.each([
    ["two defaults", z.int().default(1), z.int().default(2)],
    ["a default and an optional", z.int().default(1), z.int().optional()],
    ["a plain and a discriminated union", z.union(figure.options), figure],
    ["a tuple and a list", z.tuple([z.int()]), z.array(z.int()).length(1)],
    ["records of other values", z.record(z.string(), z.int()), z.record(z.string(), z.string())],
    ["records of other keys", z.record(z.string().min(2), z.int()), z.record(z.string(), z.int())],
    ["recursive types", fileNode, fileNode.extend({ size: z.int() })],
  ])("and apart: %s", (_, one, other) => {
    expect(within(one).hash).not.toBe(within(other).hash);
  });
});

describe("a reply", () => {
  it("may leave out what has a default, or write null for it, at any depth", () => {
    const nested = z.object({ limit: z.int().default(3), name: z.string() });
    const parse = fieldParser({ size: z.int().default(9), nested }, "lenient");
    const value = { size: 9, nested: { limit: 3, name: "a" } };
    expect(parse({ nested: { name: "a" } })).toEqual({ ok: true, value });
    expect(parse({ size: null, nested: { limit: null, name: "a" } })).toEqual({ ok: true, value });
  });

  it("may write null for an absent key inside of unions, records, tuples and recursive types", () => {
    const circle = { kind: "circle", radius: 1 };
    const written = { ...circle, label: null };
    const leaf = { name: "b", children: [] };
    for (const [field, given, value] of [
      [figure, written, circle],
      [z.union([z.int(), figure]), written, circle],
      [z.record(z.string(), figure), { one: written }, { one: circle }],
      [z.tuple([z.int(), figure]), [1, written], [1, circle]],
      [z.tuple([z.int()], figure), [1, written], [1, circle]],
      [
        fileNode,
        { name: "a", note: null, children: [{ ...leaf, note: null }] },
        { name: "a", children: [leaf] },
      ],
    ] as const) {
      expect(read(field, given)).toEqual({ ok: true, value: { field: value } });
    }
  });

  it("that fits no member of a union is told the problem of the nearest one", () => {
    expect([
      read(figure, { kind: "circle", radius: "big", label: null }),
      read(figure, { kind: "oval" }),
      read(z.union([z.int(), z.object({ name: z.string() })]), { name: 3 }),
    ]).toMatchInlineSnapshot(`
      [
        {
          "ok": false,
          "problems": [
            "\`field.radius\`: Invalid input: expected number, received string",
          ],
        },
        {
          "ok": false,
          "problems": [
            "\`field.kind\`: Names none of the variants that the schema lists",
          ],
        },
        {
          "ok": false,
          "problems": [
            "\`field\`: Fits none of its types; of the nearest one: \`name\`: Invalid input: expected string, received number",
          ],
        },
      ]
    `);
  });

  const person = z.union([
    z.object({ name: z.string() }),
    z.object({ name: z.string(), email: z.string().optional(), note: z.string().optional() }),
  ]);
  const ann = { name: "Ann", email: "ann@x.org" };

  it.each([
    ["a union", person, ann],
    ["a list of unions", z.array(person), [{ name: "Bo" }, ann]],
    ["a record of unions", z.record(z.string(), person), { a: ann }],
    ["a tuple of unions", z.tuple([person], person), [ann, ann]],
    ["a union of unions", z.union([person, z.object({ id: z.int() })]), ann],
    ["a union of lists", z.union([z.array(z.object({ a: z.int() })), z.array(person)]), [ann]],
    [
      "members that differ further inside",
      z.union([
        z.object({ of: z.object({ a: z.int() }) }),
        z.object({ of: z.object({ a: z.int(), b: z.int() }) }),
      ]),
      { of: { a: 1, b: 2 } },
    ],
    [
      "keys that may be absent",
      z.union([z.object({ x: z.string().optional() }), z.object({ y: z.int().optional() })]),
      { y: 3 },
    ],
    [
      "a union in a named member",
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("one"), who: person })]),
      { kind: "one", who: ann },
    ],
    [
      "an object or a record",
      z.union([z.object({ a: z.int() }), z.record(z.string(), z.int())]),
      { a: 1, b: 2 },
    ],
    [
      "a nullable member, lazily",
      z.lazy(() => z.union([z.null(), person.nullable(), z.array(person)])),
      ann,
    ],
    [
      "a recursive member",
      z.union([fileNode, z.object({ ...fileNode.shape, size: z.int() })]),
      { name: "a", children: [{ name: "b", children: [] }], size: 2 },
    ],
  ])("keeps the keys that the JSON schema made the model write: %s", (_, field, value) => {
    // A model writes null for what is absent.
    const written = JSON.stringify(value).replaceAll('"ann@x.org"', '"ann@x.org","note":null');
    expect(within(field).fields.output).toHaveLength(1);
    expect(read(field, JSON.parse(written))).toEqual({
      ok: true,
      value: { field: value },
    });
  });

  it("that fits no member of a union wholly is read as the first that fits, beside others", () => {
    const two = [{ name: "Bo", age: 3 }, ann];
    expect(read(z.array(person), two)).toEqual({
      ok: true,
      value: { field: [{ name: "Bo" }, ann] },
    });
  });

  it("keeps the checks of a member and of what holds the union", () => {
    const checked = z
      .array(z.union([z.object({ a: z.int() }), z.object({ a: z.int(), b: z.int().max(3) })]))
      .max(1)
      .refine(([first]) => first === undefined || first.a > 0, { params: { id: "above/1" } });
    expect(read(checked, [{ a: 1, b: 3 }])).toEqual({
      ok: true,
      value: { field: [{ a: 1, b: 3 }] },
    });
    expect(read(checked, [{ a: 1, b: 3 }, { a: 1 }]).ok).toBe(false);
    expect(read(checked, [{ a: 0, b: 3 }]).ok).toBe(false);
  });

  it("that nests a recursive type too deeply is refused, not followed out of the stack", () => {
    let value: object = { name: "leaf", children: [] };
    for (let depth = 0; depth < 20_000; depth++) value = { name: "a", children: [value] };
    expect(read(fileNode, value)).toEqual({
      ok: false,
      problems: ["nested more than 200 levels deep"],
    });
  });
});

describe("a caller's input", () => {
  const fields = { question: text("question"), limit: z.int().default(5) };
  const step = signature({
    name: "step",
    instruction: "Do it.",
    input: fields,
    output: { answer: text("answer") },
  });

  it("may leave out a default, which the prompt then shows", () => {
    const given: InputOf<typeof fields> = { question: "Why?" };
    expect(predict(step).render(given).at(-1)?.content).toContain("Limit: 5");
    expect(predict(step).render({ question: "Why?", limit: 2 }).at(-1)?.content).toContain(
      "Limit: 2",
    );
    const made: OutputOf<typeof fields> = { question: "Why?", limit: 5 };
    // @ts-expect-error: a step gets the default and so never misses the field
    const missing: OutputOf<typeof fields> = { question: "Why?" };
    expect(made).not.toEqual(missing);
  });

  it("is searched for texts that are too long in every kind of type", () => {
    const texts = {
      tree: fileNode,
      entries: z.record(z.string(), z.string().max(3)),
      pair: z.tuple([z.int(), z.string().max(3)]),
      either: z.union([z.string().max(3), z.array(z.string().max(4))]),
    };
    const deep = (name: string) => ({ name: "a", children: [{ name, children: [] }] });
    const excess = (values: object) => inputExcess(texts, values, 10)?.path ?? null;
    expect(excess({ tree: deep("abc") })).toBe(null);
    expect(excess({ tree: deep("a".repeat(11)) })).toBe("tree.children.0.name");
    expect(excess({ entries: { one: "abcd" } })).toBe("entries.one");
    expect(excess({ pair: [1, "abcd"] })).toBe("pair.1");
    expect(excess({ either: "abcd" })).toBe("either");
    expect(excess({ either: ["abcd", "abcde"] })).toBe("either.1");
    expect(longestText(texts, 10)).toBe(10);
  });
});

describe("names of one letter", () => {
  const step = signature({
    name: "step",
    instruction: "Add the x up.",
    input: { x: z.int(), y: z.int() },
    output: { z: z.int().describe("The sum.") },
  });

  it("stand in the prompt as they are", () => {
    const demos = [{ exampleId: "one", inputs: { x: 1, y: 2 }, outputs: { z: 3 } }];
    expect(predict(step, { demos }).render({ x: 3, y: 4 })).toMatchSnapshot();
  });
});

it("shows every kind of type in the prompt", () => {
  const step = signature({
    name: "step",
    instruction: "Do it.",
    input: { entries: z.record(z.string(), z.int()), either: z.union([z.string(), z.int()]) },
    output: {
      figure,
      tree: fileNode,
      pair: z.tuple([z.string(), z.literal([1, 2])], z.boolean()),
      entries2: z.record(z.string(), z.string()),
      size: z.int().default(3),
    },
  });
  expect(predict(step).render({ entries: { a: 1 }, either: "text" })).toMatchSnapshot();
});
