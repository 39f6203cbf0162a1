import { expect, it } from "vitest";
import { oneLine } from "../../../src/internal/index.ts";

it.each([
  "\n",
  "\r\n",
  "\v",
  "\f",
  "\u001C",
  "\u001D",
  "\u001E",
  "\u0085",
  "\u2028",
  "\u2029",
  " \t\n ",
])("one line has a space in place of %j", (end) => {
  expect(oneLine(`${end}first${end}second${end}`)).toBe("first second");
});
