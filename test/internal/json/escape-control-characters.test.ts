import { expect, it } from "vitest";
import { escapeControlCharacters } from "../../../src/internal/index.ts";

it.each([
  ['{"a":"one\ntwo\tthree"}', { a: "one\ntwo\tthree" }],
  ['{\n\t"a": "x\u0001y",\r\n"b": [1]\n}', { a: "x\u0001y", b: [1] }],
  ['{"a":"a \\" quote\n and \\\\"}', { a: 'a " quote\n and \\' }],
  ['{"a\nb":"\\n"}', { "a\nb": "\n" }],
  ['{"a":"plain"}', { a: "plain" }],
])("makes JSON of %j", (text, value) => {
  expect(JSON.parse(escapeControlCharacters(text))).toEqual(value);
});

it("takes a long text without an end in one pass", () => {
  const text = `{"a":"${'\\"\n'.repeat(200_000)}`;
  expect(escapeControlCharacters(text)).toHaveLength(text.length + 200_000);
});
