import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/internal/index.ts";

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("JSON from outside", () => {
  it("is read as JSON.parse reads it", () => {
    const text = '{"a":[1,null,"x",{"b":1e2}],"__proto__":{"c":true}}';
    expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    expect(parseJson(`${" ".repeat(1000)}null`)).toBe(null);
  });

  it("gives integers that would be rounded as text, and no other number", () => {
    const texts = ["9007199254740993", "-9223372036854775808", "12345678901234567890"];
    expect(parseJson(`{"a":[${texts.join(", ")}],"b":\n${texts[0]}}`)).toEqual({
      a: texts,
      b: texts[0],
    });
    const kept = [
      9007199254740991,
      -9007199254740992,
      1e20,
      1.2345678901234567,
      1234567890123456.5,
      Number.POSITIVE_INFINITY,
    ];
    const json =
      "[9007199254740991,-9007199254740992,1e20,1.2345678901234567,1234567890123456.5,1e400]";
    expect(parseJson(json)).toEqual(kept);
    // What was written by us is read as it was.
    expect(parseJson(JSON.stringify({ a: 1e20, b: 2 ** 63 }))).toEqual({ a: 1e20, b: 2 ** 63 });
    expect(parseJson('{"a":"[12345678901234567890"}')).toEqual({ a: "[12345678901234567890" });
  });

  it("has no half of a character, in texts and keys", () => {
    const json = String.raw`{"a\ud83d":"\uDe42 \ud83d\uDE42 \\ud83d \\\ud83d \n"}`;
    expect(parseJson(json)).toEqual({ "a\ufffd": "\ufffd \u{1f642} \\ud83d \\\ufffd \n" });
  });

  it("may be as deep as the limit and no deeper, in lists and in objects", () => {
    expect(parseJson(nested(200))).toHaveLength(1);
    expect(() => parseJson(nested(201))).toThrow("JSON nested more than 200 levels deep");
    expect(() => parseJson(nested(100_000))).toThrow(SyntaxError);
    expect(() => parseJson(`${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`)).toThrow(SyntaxError);
    expect(parseJson(nested(5), { maxDepth: 5 })).toHaveLength(1);
    expect(() => parseJson(nested(6), { maxDepth: 5 })).toThrow(SyntaxError);
  });

  it.each(["root:x:0:0:secret", "password=hunter2", '{"a":1} secret', "", '{"a":sec', '{"a":"sec'])(
    "is refused without a word of it where it is none: %s",
    (text) => {
      let message = "";
      try {
        parseJson(text);
      } catch (error) {
        message = String(error);
      }
      expect(message).toMatch(/^SyntaxError: .{10,}/);
      expect(message).not.toMatch(/root|sec|hunter/);
    },
  );
});
