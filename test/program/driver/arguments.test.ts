import { expect, it } from "vitest";
import { argumentsIn, argumentsText } from "../../../src/program/driver/tool.ts";

const twice = (value: unknown): string => JSON.stringify(JSON.stringify(value));

it.each<[string, string, object | null]>([
  ["an object", '{ "a": 1 }', { a: 1 }],
  ["nothing", " ", {}],
  ["null", "null", {}],
  ["an empty object before the real one", '{}{"a":1}', { a: 1 }],
  ["several of them", '{} { }\n{"a":1}', { a: 1 }],
  ["empty objects alone", "{}{}", {}],
  ["JSON as a text of JSON", twice({ a: 1 }), { a: 1 }],
  ["null as a text of JSON", twice(null), {}],
  ["both at once", JSON.stringify('{}{"a":1}'), { a: 1 }],
  ["an empty object inside of the real one", '{"a":{}}', { a: {} }],
  ["two objects, of which either may be meant", '{"a":1}{"b":2}', null],
  ["the same object twice", '{"a":1}{"a":1}', null],
  ["a list", '[{"a":1}]', null],
  ["a text", '"a"', null],
  ["a number", "3", null],
  ["what is no JSON", '{"a":', null],
  ["an object and words", '{"a":1} and so on', null],
  ["what is nested without end", `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`, null],
])("reads %s as arguments, or refuses it", (_, written, read) => {
  expect(argumentsIn(written)).toEqual(read);
  expect(JSON.parse(argumentsText(written))).toEqual(read ?? {});
});

it("leaves an object as the model wrote it", () => {
  expect(argumentsText('{ "b": 1, "a": 1.0 }')).toBe('{ "b": 1, "a": 1.0 }');
});
