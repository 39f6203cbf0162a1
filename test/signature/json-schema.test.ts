import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conversation, passages, rankedPassages, signature, text } from "espalier";
import { fieldParser, jsonSchemaOf } from "../../src/signature/index.ts";

const output = {
  thought: text("thought", "Why."),
  label: z.enum(["yes", "no"]),
  score: z.number().min(0).lt(1),
  pages: z.array(z.int().positive()).min(1).max(4),
  day: z.iso.date(),
  note: z.string().max(20).optional(),
  source: z.object({ title: z.string(), year: z.int().nullable() }),
};
const step = signature({ name: "step", instruction: "Do it.", input: {}, output });

describe("JSON schema of output fields", () => {
  it("writes the properties in the order of the fields", () => {
    expect(Object.keys(jsonSchemaOf(step.fields.output)["properties"] as object)).toEqual(
      Object.keys(output),
    );
  });

  it("leaves out a pattern that grammars cannot follow", () => {
    const withLookahead = signature({
      ...step,
      output: { code: z.string().regex(/^(?!0)\d+$/) },
    });
    expect(jsonSchemaOf(withLookahead.fields.output)["properties"]).toEqual({
      code: { type: "string", maxLength: 4000 },
    });
  });

  it("closes the records of passages and conversations, and asks ranked ones for a score", () => {
    const { fields } = signature({
      ...step,
      output: { found: passages(), ranked: rankedPassages(), turns: conversation() },
    });
    expect(jsonSchemaOf(fields.output)["properties"]).toMatchObject({
      found: {
        items: {
          properties: { title: { anyOf: [{ type: "string" }, { type: "null" }] } },
          required: ["id", "title", "text"],
          additionalProperties: false,
        },
      },
      ranked: {
        items: {
          properties: { score: { type: "number" } },
          required: ["id", "title", "text", "score"],
          additionalProperties: false,
        },
      },
      turns: { items: { required: ["speaker", "text"], additionalProperties: false } },
    });
  });

  it("leaves room between a lower bound and the bound that it adds", () => {
    const { fields } = signature({
      ...step,
      output: { essay: z.string().min(5000), items: z.array(z.boolean()).min(40) },
    });
    expect(jsonSchemaOf(fields.output)["properties"]).toMatchObject({
      essay: { minLength: 5000, maxLength: 5000 },
      items: { minItems: 40, maxItems: 40 },
    });
  });

  it("requires everything, and bounds every string and list", () => {
    expect(jsonSchemaOf(step.fields.output)).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "day": {
            "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$",
            "type": "string",
          },
          "label": {
            "enum": [
              "yes",
              "no",
            ],
            "type": "string",
          },
          "note": {
            "anyOf": [
              {
                "maxLength": 20,
                "type": "string",
              },
              {
                "type": "null",
              },
            ],
          },
          "pages": {
            "items": {
              "exclusiveMinimum": 0,
              "type": "integer",
            },
            "maxItems": 4,
            "minItems": 1,
            "type": "array",
          },
          "score": {
            "exclusiveMaximum": 1,
            "minimum": 0,
            "type": "number",
          },
          "source": {
            "additionalProperties": false,
            "properties": {
              "title": {
                "maxLength": 4000,
                "type": "string",
              },
              "year": {
                "anyOf": [
                  {
                    "type": "integer",
                  },
                  {
                    "type": "null",
                  },
                ],
              },
            },
            "required": [
              "title",
              "year",
            ],
            "type": "object",
          },
          "thought": {
            "description": "Why.",
            "maxLength": 4000,
            "type": "string",
          },
        },
        "required": [
          "thought",
          "label",
          "score",
          "pages",
          "day",
          "note",
          "source",
        ],
        "type": "object",
      }
    `);
  });
});

describe("parsing what a model wrote", () => {
  const parse = fieldParser(output, "lenient");
  const good = {
    thought: "because",
    label: "yes",
    score: 0.5,
    pages: [1, 2],
    day: "2026-02-03",
    source: { title: "Almanac", year: null },
  };

  it("takes what fits, drops unknown names, and reads null as absent for an optional field", () => {
    expect(parse({ ...good, note: null, chatter: "hello" })).toEqual({ ok: true, value: good });
  });

  it("reads null as absent for optional fields of objects and of lists of objects too", () => {
    const nested = z.object({ a: z.string(), b: z.string().optional() });
    const fields = { nested, list: z.array(nested), kept: z.string().nullable().optional() };
    const written = { a: "1", b: null };
    expect(
      fieldParser(fields, "lenient")({ nested: written, list: [written, written], kept: null }),
    ).toEqual({
      ok: true,
      value: { nested: { a: "1" }, list: [{ a: "1" }, { a: "1" }], kept: null },
    });
    expect(fieldParser(fields, "strict")({ nested: written, list: [] }).ok).toBe(false);
    expect(fieldParser(fields, "lenient")({ nested: { a: null, b: null }, list: [] }).ok).toBe(
      false,
    );
  });

  it("says of every field what is wrong with it", () => {
    expect(parse({ ...good, label: "maybe", score: 1, pages: [], source: { title: 3 } }))
      .toMatchInlineSnapshot(`
      {
        "ok": false,
        "problems": [
          "\`label\`: Invalid option: expected one of "yes"|"no"",
          "\`score\`: Too big: expected number to be <1",
          "\`pages\`: Too small: expected array to have >=1 items",
          "\`source.title\`: Invalid input: expected string, received number",
          "\`source.year\`: Invalid input: expected number, received undefined",
        ],
      }
    `);
  });

  it("refuses what is not an object", () => {
    expect(parse("yes").ok).toBe(false);
    expect(parse(null).ok).toBe(false);
  });
});

describe("parsing what a caller passes", () => {
  it("refuses unknown names, so that a label never reaches a prompt by accident", () => {
    expect(
      fieldParser({ question: text("question") }, "strict")({ question: "q", gold: "g" }),
    ).toEqual({
      ok: false,
      problems: ["`gold` is no field of it"],
    });
  });
});
