import fc from "fast-check";
import { expect, it } from "vitest";
import { projected } from "../../../src/serve/model/schema-fit.ts";
import { growingJsonText } from "../../../src/serve/model/growing-json-text.ts";
import type { GrowthGuide } from "../../../src/program/call/growth.ts";
import { growingJson } from "../../../src/program/call/growing-json.ts";

const anything: GrowthGuide = { grows: true, at: () => anything };
const schemas = [
  {},
  {
    type: "object",
    properties: {
      b: { type: "array", items: { $ref: "#/$defs/part" } },
      a: { type: "string" },
      missing: { type: ["string", "null"] },
    },
    required: ["b", "a", "missing"],
    additionalProperties: false,
    $defs: {
      part: {
        type: "object",
        properties: { y: {}, x: {} },
        required: ["y"],
        additionalProperties: false,
      },
    },
  },
];
const part = fc.record({ x: fc.jsonValue(), y: fc.string({ unit: "binary" }), z: fc.boolean() });
const value = fc.record({
  a: fc.string({ unit: "binary" }),
  b: fc.array(part, { maxLength: 3 }),
  c: fc.jsonValue({ noUnicodeString: false }),
});

it("prints a growing value piece by piece as the text of the whole, in the schema's order", () => {
  fc.assert(
    fc.property(
      value,
      fc.constantFrom(...schemas),
      fc.array(fc.nat(200)),
      (given, schema, places) => {
        const json = JSON.stringify(given);
        const whole = JSON.parse(json) as object;
        const growth = growingJson(anything);
        const print = growingJsonText(schema);
        let [text, from] = ["", 0];
        for (const place of [...places, json.length].toSorted((left, right) => left - right)) {
          growth.add(json.slice(from, place));
          from = Math.max(from, place);
          const { value: soFar, growing } = growth.snapshot();
          text += print(soFar, growing);
          // Nothing that was printed is ever wrong: this throws otherwise.
          JSON.parse(text + growingRest(text));
        }
        text += print(whole, null);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(projected(schema, whole))));
        const compact = JSON.stringify(projected(schema, whole));
        expect(schema === schemas[1] ? text : compact).toBe(compact);
      },
    ),
    { numRuns: 300 },
  );
});

/**
 * What makes a beginning of JSON whole: the ends of what is open, after a value where one must be.
 */
function growingRest(text: string): string {
  const open: string[] = [];
  let isText = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isText && character === "\\") index++;
    else if (character === '"') isText = !isText;
    else if (!isText && character === "{") open.push("}");
    else if (!isText && character === "[") open.push("]");
    else if (!isText && (character === "}" || character === "]")) open.pop();
  }
  return (isText ? '"' : text === "" ? "null" : "") + open.toReversed().join("");
}
