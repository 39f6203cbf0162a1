import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, contentHash } from "../../../src/internal/index.ts";

describe("canonical JSON", () => {
  it("orders keys by code unit at every depth and drops undefined", () => {
    expect(canonicalJson({ b: 1, a: { z: [{ y: 1, x: 2 }], Z: null }, c: undefined })).toBe(
      '{"a":{"Z":null,"z":[{"x":2,"y":1}]},"b":1}',
    );
  });

  it("reads back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("does not depend on the order in which keys were set", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(contentHash(reversed)).toBe(contentHash(value));
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol("s")])(
    "refuses %s, which JSON would change or drop",
    (value) => {
      expect(() => canonicalJson({ held: value })).toThrow(/JSON cannot represent .*"held"/);
    },
  );
});

describe("content hash", () => {
  // Reference: sha256sum of the bytes {"a":[1,2],"b":"é"}.
  it("is the SHA-256 of the UTF-8 bytes", () => {
    expect(contentHash({ b: "é", a: [1, 2] })).toBe(
      "d902c5ef87c42c33059e8d7b7aa30485809a5c0ff84b8d0d285616d5b03f23ea",
    );
  });
});
