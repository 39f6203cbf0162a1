import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/internal/index.ts";

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("JSON from outside", () => {
  it("is read as JSON.parse reads it", () => {
    const text = '{"a":[1,null,"x",{"b":1e2}],"__proto__":{"c":true}}';
    expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    expect(parseJson(`${" ".repeat(1000)}null`)).toBe(null);
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
