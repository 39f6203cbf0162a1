import { describe, expect, it } from "vitest";
import { decodableSchema } from "../../../src/lm/chat/decodable-schema.ts";

const schema = {
  type: "object",
  properties: {
    notes: { type: "array", items: { type: "string", maxLength: 200 }, maxItems: 4 },
    maybe: { anyOf: [{ type: "string", minLength: 1, maxLength: 90 }, { type: "null" }] },
    code: { type: "string", pattern: "^[A-Z]{2}$", minLength: 2 },
    name: { type: "string", pattern: String.raw`^\p{L}+$`, minLength: 1, description: "Who" },
    count: { type: "integer", minimum: 0 },
    share: { type: "number", exclusiveMinimum: 0, maximum: 1, multipleOf: 0.1 },
    label: { type: "string", enum: ["yes", "no"] },
  },
  required: ["notes"],
  additionalProperties: false,
} as const;

describe("the schema that is sent", () => {
  it("has no lengths of strings, patterns that every grammar takes, and bounded numbers of any step", () => {
    expect(decodableSchema(schema, { boundedStrings: false })).toEqual({
      ...schema,
      properties: {
        notes: { type: "array", items: { type: "string" }, maxItems: 4 },
        maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
        code: { type: "string", pattern: "^(?:[A-Z]{2})$" },
        name: { type: "string", description: "Who" },
        count: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        share: { type: "number", exclusiveMinimum: 0, maximum: 1 },
        label: { type: "string", enum: ["yes", "no"] },
      },
    });
  });

  it("has the lengths where the server writes escapes in bounded strings", () => {
    const { properties } = decodableSchema(schema, { boundedStrings: true });
    expect(properties).toMatchObject({
      notes: { items: { maxLength: 200 } },
      maybe: { anyOf: [{ minLength: 1, maxLength: 90 }, { type: "null" }] },
      code: { type: "string", pattern: "^(?:[A-Z]{2})$" },
      name: { type: "string", minLength: 1 },
    });
    expect(properties).not.toHaveProperty("code.minLength");
  });

  it("keeps the order of properties, in which a model writes", () => {
    const { properties } = decodableSchema(schema, { boundedStrings: false });
    expect(Object.keys(properties as object)).toEqual(Object.keys(schema.properties));
  });
});
