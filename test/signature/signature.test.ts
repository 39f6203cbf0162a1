import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conversation, passages, rankedPassages, signature, text } from "espalier";

const answer = signature({
  name: "answer-from-passages",
  instruction: "Answer the question from the passages.",
  input: {
    question: text("question", "What the user asks."),
    history: conversation(),
    passages: passages(),
    limit: z.int().min(1).max(9).optional().describe("Most sentences."),
  },
  output: {
    label: z.enum(["answerable", "partial"]).describe("Whether the passages answer it."),
    confidence: z.number().min(0).max(1),
    answer: text("answer", "One sentence.", { max: 400 }),
    cited: z.array(z.object({ number: z.int(), quote: z.string().nullable() })).max(3),
  },
});

describe("signature", () => {
  it("describes every kind of field in its own canonical words", () => {
    expect(answer.fields).toMatchInlineSnapshot(`
      {
        "input": [
          {
            "description": "What the user asks.",
            "isOptional": false,
            "name": "question",
            "refinements": [],
            "shape": {
              "kind": "text",
              "role": "question",
            },
          },
          {
            "description": "The conversation so far, oldest turn first.",
            "isOptional": false,
            "name": "history",
            "refinements": [],
            "shape": {
              "kind": "conversation",
            },
          },
          {
            "description": "Passages that were retrieved, numbered.",
            "isOptional": false,
            "name": "passages",
            "refinements": [],
            "shape": {
              "kind": "passages",
            },
          },
          {
            "description": "Most sentences.",
            "isOptional": true,
            "name": "limit",
            "refinements": [],
            "shape": {
              "integer": true,
              "kind": "number",
              "maximum": 9,
              "minimum": 1,
            },
          },
        ],
        "output": [
          {
            "description": "Whether the passages answer it.",
            "isOptional": false,
            "name": "label",
            "refinements": [],
            "shape": {
              "kind": "label",
              "options": [
                "answerable",
                "partial",
              ],
            },
          },
          {
            "description": "",
            "isOptional": false,
            "name": "confidence",
            "refinements": [],
            "shape": {
              "integer": false,
              "kind": "number",
              "maximum": 1,
              "minimum": 0,
            },
          },
          {
            "description": "One sentence.",
            "isOptional": false,
            "name": "answer",
            "refinements": [],
            "shape": {
              "kind": "text",
              "maxLength": 400,
              "role": "answer",
            },
          },
          {
            "description": "",
            "isOptional": false,
            "name": "cited",
            "refinements": [],
            "shape": {
              "items": {
                "fields": [
                  {
                    "description": "",
                    "isOptional": false,
                    "name": "number",
                    "refinements": [],
                    "shape": {
                      "integer": true,
                      "kind": "number",
                    },
                  },
                  {
                    "description": "",
                    "isOptional": false,
                    "name": "quote",
                    "refinements": [],
                    "shape": {
                      "kind": "nullable",
                      "of": {
                        "kind": "text",
                      },
                    },
                  },
                ],
                "kind": "object",
              },
              "kind": "list",
              "maxItems": 3,
            },
          },
        ],
      }
    `);
  });

  it("is frozen, fields included", () => {
    expect(Object.isFrozen(answer)).toBe(true);
    expect(Object.isFrozen(answer.fields.input)).toBe(true);
    expect(Object.isFrozen(answer.fields.output[0])).toBe(true);
    expect(Object.isFrozen(answer.input)).toBe(true);
  });

  // Written down, so that an accidental change of the description, which would make every stored
  // artifact look drifted, is noticed here.
  it("keeps its hash as long as the fields mean the same", () => {
    expect(answer.hash).toMatchInlineSnapshot(
      `"b176e6fea8b218825901b5f97b60d156a5746fa218c1104fbdca4fb2464325c2"`,
    );
  });

  it("names the one field whose hash changed", () => {
    const changed = signature({
      ...answer,
      output: { ...answer.output, answer: text("answer", "One sentence.", { max: 401 }) },
    });
    const differing = Object.keys(changed.fieldHashes).filter(
      (field) => changed.fieldHashes[field] !== answer.fieldHashes[field],
    );
    expect(differing).toEqual(["answer"]);
    expect(changed.hash).not.toBe(answer.hash);
  });

  it.each([
    ["a name that is not kebab-case", { name: "Answer" }],
    ["a name of 65 characters", { name: "n".repeat(65) }],
    ["no output", { output: {} }],
    ["a field name that is not camelCase", { input: { "the-question": text("question") } }],
    ["a name that is both input and output", { output: { question: text("question") } }],
  ])("refuses %s", (_, change) => {
    const declared: Parameters<typeof signature>[0] = { ...answer, ...change };
    expect(() => signature(declared)).toThrowErrorMatchingSnapshot();
  });
});

const within = (schema: z.ZodType) => () =>
  signature({ name: "step", instruction: "Do it.", input: {}, output: { field: schema } });

describe("names of signatures", () => {
  it("may have 64 characters", () => {
    expect(signature({ ...answer, name: "n".repeat(64) }).name).toHaveLength(64);
  });
});

describe("descriptions of fields", () => {
  it.each([
    ["a URL and any text", z.url(), z.string()],
    ["a URL and a token", z.url(), z.jwt()],
    ["a pattern with and without the flag u", z.string().regex(/a/u), z.string().regex(/a/)],
    ["int32 and int", z.int32(), z.int()],
    ["uint32 and int32", z.uint32(), z.int32()],
    [
      "a strict object and one that drops",
      z.strictObject({ ab: z.int() }),
      z.object({ ab: z.int() }),
    ],
    ["ranked passages and passages", rankedPassages("Same."), passages("Same.")],
  ])("tell apart %s", (_, one, other) => {
    expect(within(one)().hash).not.toBe(within(other)().hash);
  });

  it.each([
    ["min and min", z.string().min(5).min(3), z.string().min(5)],
    ["max and length", z.string().max(9).length(4), z.string().length(4)],
    ["min of a list", z.array(z.int()).min(1).min(2), z.array(z.int()).min(2)],
    ["max of a number", z.number().max(1).max(2), z.number().max(1)],
    ["a lower bound of a number", z.number().gt(3).gt(1), z.number().gt(3)],
    ["the bounds of uint32", z.uint32().max(2 ** 40), z.uint32()],
  ])("keep the stricter of two bounds: %s", (_, one, other) => {
    expect(within(one)().hash).toBe(within(other)().hash);
  });
});

let counter = 0;

/** Another schema at each reading, so that it never repeats itself. */
function endless(): z.ZodType {
  return z.object({
    get next() {
      return endless();
    },
  });
}

function ambiguousTree(): z.ZodType {
  const tree: z.ZodType = z.lazy(() =>
    z.union([z.object({ left: tree, name: z.string() }), z.object({ left: tree, size: z.int() })]),
  );
  return tree;
}

describe("fields that cannot be represented", () => {
  it.each([
    ["a date", z.date()],
    ["a transform", z.string().transform((value) => value.length)],
    ["a pipe", z.string().pipe(z.string())],
    ["a preprocessor", z.preprocess((value) => value, z.string())],
    ["an overwrite", z.string().trim()],
    ["a coercion", z.coerce.number()],
    ["anything", z.any()],
    ["a map", z.map(z.string(), z.string())],
    ["a bigint", z.bigint()],
    ["a custom type", z.custom<string>(() => true)],
    ["a pattern that ignores case", z.string().regex(/a/i)],
    ["two patterns", z.string().regex(/b/).regex(/a/)],
    ["a format with a pattern", z.email().regex(/a/)],
    ["a pattern with a format that has none", z.url().regex(/a/)],
    ["a URL of one host", z.url({ hostname: /a/ })],
    ["a loose object", z.looseObject({ title: z.string() })],
    ["an object with a catchall", z.object({ title: z.string() }).catchall(z.int())],
    ["a float of 32 bits", z.float32()],
    ["two multiples", z.number().multipleOf(2).multipleOf(3)],
    ["a refinement without an id", z.string().refine((value) => value !== "")],
    ["a default that changes", z.number().default(() => counter++)],
    ["a default inside of a list", z.array(z.string().default("x"))],
    ["a partial record", z.partialRecord(z.enum(["a", "b"]), z.int())],
    ["a record with numbers for keys", z.record(z.number(), z.int())],
    ["an intersection", z.intersection(z.object({ ab: z.int() }), z.object({ cd: z.int() }))],
    ["a set", z.set(z.string())],
    ["a fallback for what does not fit", z.string().catch("x")],
    ["a literal beyond JSON", z.literal([1n, undefined])],
    ["numbers for labels", z.enum({ Low: 0, High: 1 } as const)],
    ["a union with a date", z.union([z.string(), z.date()])],
    ["a schema that never ends", endless()],
    ["a recursive union of several objects", ambiguousTree()],
    ["a date inside a list of objects", z.array(z.object({ day: z.date() }))],
  ])("refuses %s with what to do instead", (_, schema) => {
    expect(within(schema)).toThrowErrorMatchingSnapshot();
  });

  it("refuses a schema of zod 3, and what is no schema, by name", () => {
    const ofZod3 = { _def: { typeName: "ZodString" }, parse: () => "" } as never;
    expect(within(ofZod3)).toThrow(/Got: a schema of zod 3. Import `z` from zod 4/);
    expect(within(z.array(ofZod3))).toThrow(/Got: a schema of zod 3/);
    expect(within("string" as never)).toThrow(/Got: a value that is not a zod schema/);
    expect(within(undefined as never)).toThrow(/Got: a value that is not a zod schema/);
  });

  it("accepts a refinement with an id, and keeps the id in the hash", () => {
    const withId = (id: string) =>
      within(z.string().refine((value) => !value.includes("http"), { params: { id } }))();
    expect(withId("no-url/1").fields.output[0]?.refinements).toEqual(["no-url/1"]);
    expect(withId("no-url/1").hash).not.toBe(withId("no-url/2").hash);
  });
});
