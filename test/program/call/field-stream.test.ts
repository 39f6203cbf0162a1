import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldStream } from "../../../src/program/predictor/heard-outputs.ts";
import { heldBytes } from "../../support/held-bytes.ts";

/**
 * The text cut at the places given, in UTF-16 code units: in the middle of escapes and of pairs.
 */
function cut(text: string, places: readonly number[]): readonly string[] {
  const ends = [...places, text.length].toSorted((left, right) => left - right);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** What each piece of a reply adds to the field's text. */
function read(field: string, pieces: readonly string[]): readonly string[] {
  let heard = "";
  const stream = fieldStream({ path: "answer", field }, ({ text }) => (heard += text));
  return pieces.map((content) => {
    heard = "";
    stream.add({ content });
    return heard;
  });
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  // Lone surrogates, control characters, quotes and backslashes.
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('say "\\"', "a\\u00e9", "\u{1F332}\u{1F333}", "\ud83c", '{"answer":"no"}'),
);
const nested = fc.object({ key: fc.constantFrom("answer", "a", '"', "\\"), maxDepth: 3 });

describe("the stream of one text field of a JSON object that is still being written", () => {
  it("gives together what JSON.parse makes of the field, however the object is written and cut", () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom("answer", 'an "answer"', "\u{1F332}"),
        fc.array(fc.tuple(fc.constantFrom("x", "y", "z"), fc.oneof(text, nested, fc.json())), {
          maxLength: 3,
        }),
        fc.nat(3),
        fc.constantFrom(undefined, 2),
        fc.boolean(),
        fc.array(fc.nat(400)),
        (value, field, others, index, indent, isAscii, places) => {
          const entries: [string, unknown][] = [...others];
          entries.splice(index, 0, [field, value]);
          const plain = JSON.stringify(Object.fromEntries(entries), null, indent);
          const json = isAscii ? escaped(plain) : plain;
          const pieces = read(field, cut(json, places));
          const whole = JSON.parse(json) as Record<string, string>;
          expect(pieces.join("")).toBe(whole[field]?.toWellFormed());
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("keeps nothing of a long text", () => {
    const count = 50_000;
    const bytes = heldBytes(() => {
      const stream = fieldStream({ path: "answer", field: "answer" }, () => undefined);
      stream.add({ content: '{"answer":"' });
      for (let index = 0; index < count; index++) {
        stream.add({ content: String.fromCharCode(97 + (index % 26)).repeat(4) });
      }
      return stream;
    });
    expect(bytes / (4 * count)).toBeLessThan(0.5);
  });

  it("never cuts a surrogate pair in two, wherever its halves arrive", () => {
    for (const written of ["\u{1F332}", String.raw`\ud83c\udf32`]) {
      const json = `{"answer":"${written}"}`;
      for (let index = 0; index <= json.length; index++) {
        const pieces = read("answer", cut(json, [index]));
        expect(pieces.filter((piece) => piece !== "")).toEqual(["\u{1F332}"]);
      }
    }
  });

  it("gives each piece as soon as it is known", () => {
    expect(read("answer", ['{"reasoning":"So', '.","answer":"The', " trees", '."', "}"])).toEqual([
      "",
      "The",
      " trees",
      ".",
      "",
    ]);
  });

  it.each([
    ["a field of an inner object", '{"inner":{"answer":"no"},"list":["answer",":","no"]}'],
    ["a value that is no text", '{"answer":12}'],
    ["null", '{"answer":null}'],
    ["a list", '{"answer":["no"]}'],
    ["a list outside", '["answer"]'],
    ["a code fence", '```json\n{"answer":"no"}\n```'],
    ["prose", 'Answer: "no"'],
    ["what follows the object", '{"a":"b"}{"answer":"no"}'],
  ])("gives nothing of %s", (_, json) => {
    expect(read("answer", json.split("")).join("")).toBe("");
  });

  it("gives what stands before a fault, and nothing after it", () => {
    expect(read("answer", ['{"answer":"one \\x two"}']).join("")).toBe("one ");
    expect(read("answer", [String.raw`{"answer":"one \u12g4 two"}`]).join("")).toBe("one ");
  });
});

/** The same JSON in ASCII alone. */
function escaped(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
