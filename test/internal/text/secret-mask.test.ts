import { describe, expect, it } from "vitest";
import { credentialsIn, secretMask, withoutCredentials } from "../../../src/internal/index.ts";

describe("a mask for secrets", () => {
  const secret = 'k+y/7"f?=Zq9';
  it.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify({ secret })],
    ["with percent signs", encodeURIComponent(secret)],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 for addresses", Buffer.from(secret).toString("base64url")],
  ])("finds a secret %s", (_form, text) => {
    const masked = secretMask([secret])(`before ${text} after`);
    expect(masked).toMatch(/^before .*\[redacted\].* after$/);
    expect(masked).not.toContain("Zq9");
  });

  it("leaves nothing of a secret that begins with another", () => {
    expect(secretMask(["abcd", "abcdefgh"])("abcdefgh, abcd")).toBe("[redacted], [redacted]");
  });

  it("passes over what is too short to be one", () => {
    expect(secretMask(["", "a", "the"])("the same")).toBe("the same");
  });
});

describe("an address", () => {
  it.each([
    ["http://ada:p%40ss@host:8000/v1", "http://host:8000/v1"],
    ["http://a:b@c/v1,https://d:e@f/v1", "http://c/v1,https://f/v1"],
    ["http://ada:p@ss@host", "http://host"],
    ["http://host/a@b", "http://host/a@b"],
    ["ada@host", "ada@host"],
  ])("is shown without user and password: %s", (url, shown) => {
    expect(withoutCredentials(url)).toBe(shown);
  });

  it("tells which of its parts are secret, encoded and not", () => {
    expect(credentialsIn("http://ada:p%40ss@host")).toEqual([
      "ada:p%40ss",
      "p%40ss",
      "ada:p@ss",
      "p@ss",
    ]);
    expect(credentialsIn("http://host")).toEqual([]);
  });
});
