import { expect, test } from "vitest";
import type { Retriever } from "espalier";
import { indexFor } from "../../programs/support/by-collection.ts";

const index = (name: string): Retriever => ({
  name,
  version: "1",
  doRetrieve: () => Promise.resolve([]),
});

test("one index is searched whatever the collection, several by the collection's name", () => {
  const alone = index("all");
  expect(indexFor(alone, undefined)).toBe(alone);
  const each = { towns: index("towns"), rivers: index("rivers") };
  expect(indexFor(each, "rivers")).toBe(each.rivers);
});

test.each([undefined, "hills", "toString"])("collection %s without an index is refused", (name) => {
  const each = { towns: index("towns"), rivers: index("rivers") };
  expect(() => indexFor(each, name)).toThrow(/`towns`, `rivers`/);
});
