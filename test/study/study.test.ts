import { afterEach, expect, it } from "vitest";
import { study } from "espalier";
import { opened } from "../../src/internal/index.ts";
import { placeStudy } from "../optimizer/support/place-search.ts";

afterEach(() => opened.clear());

it("what a study has opened is known before the study is refused", () => {
  const resource = { [Symbol.dispose]: () => {} };
  expect(() => study({ ...placeStudy, name: "No name", resources: [resource] })).toThrow(
    "kebab-case",
  );
  expect([...opened]).toEqual([resource]);
});

it("refuses a resource that cannot be disposed of", () => {
  // @ts-expect-error -- a pool of connections, say
  expect(() => study({ ...placeStudy, resources: [{ end: () => {} }] })).toThrow(
    /A resource of the study cannot be disposed of.*Expected: .*asyncDispose/,
  );
});
