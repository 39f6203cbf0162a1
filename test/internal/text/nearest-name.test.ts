import { expect, it } from "vitest";
import { nearestName } from "../../../src/internal/index.ts";

const names = ["optimize", "eval", "experiment", "serve", "servers", "show"];

it.each([
  ["optimise", "optimize"],
  ["OPTIMIZE", "optimize"],
  ["evaluate", "eval"],
  ["exp", "experiment"],
  ["servr", "serve"],
])("%s probably means %s", (given, meant) => expect(nearestName(given, names)).toBe(meant));

it.each(["", "x", "banana", "e".repeat(1_000_000)])("is none for a word like no other", (given) => {
  expect(nearestName(given, names)).toBeUndefined();
});
