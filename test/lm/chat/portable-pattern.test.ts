import { describe, expect, it } from "vitest";
import { portablePattern } from "../../../src/lm/chat/decodable-schema.ts";

describe("a pattern for a grammar", () => {
  // What vLLM 0.32.0 did with each on xgrammar 0.2.8 and on llguidance 1.7.6.
  it.each([
    [String.raw`^\p{L}+$`, "xgrammar: 500"],
    [String.raw`\bfoo\b`, "both: 400"],
    [String.raw`^(a)\1$`, "both: 400"],
    [String.raw`^[a-z]{1,129}$`, "xgrammar: 500"],
    [String.raw`^."$`, 'xgrammar: {"f":""""}'],
    [String.raw`^[^a]{3}$`, "xgrammar: may write a raw quote"],
    [String.raw`^\x41\t\/$`, "xgrammar: writes a raw tab"],
    [String.raw`^\s{3}$`, "guidance: tabs, xgrammar: raw ones"],
    [String.raw`^[ -~]+$`, "spans a quote and a backslash"],
    [String.raw`^(?!a)b$`, "look-around"],
    [String.raw`^(?<year>\d{4})$`, "not tried as sent"],
    [String.raw`^a\\$`, "a backslash"],
    [String.raw`a^b`, "an anchor inside"],
  ])("is left out for %s (%s)", (pattern) => {
    expect(portablePattern(pattern)).toBeUndefined();
  });

  it.each([
    [String.raw`^[A-Z]{2}-\d+$`, "^(?:[A-Z]{2}-[0-9]+)$"],
    [String.raw`^\d{4}-\d{2}-\d{2}$`, "^(?:[0-9]{4}-[0-9]{2}-[0-9]{2})$"],
    [
      String.raw`^[\w.+-]+@[\w-]+\.[a-z]{2,}$`,
      String.raw`^(?:[A-Za-z0-9_.+-]+@[A-Za-z0-9_-]+\.[a-z]{2,})$`,
    ],
    ["foo", "^(?:foo)$"],
    ["^(?:a|b)+$", "^(?:(?:a|b)+)$"],
    ["^é+$", "^(?:é+)$"],
    ["^a|b$", "^(?:a|b)$"],
  ])("for %s is %s", (pattern, sent) => {
    expect(portablePattern(pattern)).toBe(sent);
    expect(() => new RegExp(sent, "u")).not.toThrow();
  });

  it("matches nothing that the original refuses", () => {
    const texts = ["a", "b", "ab", "foo", "xfoo", "2026-11-22", "AB-12", "é", "a.b@c-d.org"];
    const patterns = [
      "^a|b$",
      "foo",
      String.raw`\d{4}`,
      "^(?:a|b)+$",
      String.raw`[\w.]+@[\w-]+\.org`,
    ];
    for (const pattern of patterns) {
      const sent = portablePattern(pattern);
      expect(sent).toBeDefined();
      for (const text of texts.filter((each) => new RegExp(sent ?? "").test(each))) {
        expect(text).toMatch(new RegExp(pattern));
      }
    }
  });
});
