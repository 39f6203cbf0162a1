import { expect, test } from "vitest";
import { wordPieceText } from "../src/word-piece-text.ts";

test("letters lose their marks, and Hangul comes apart", () => {
  expect(wordPieceText("Café, e\u0301, が, 한")).toBe("Cafe, e, か, \u1112\u1161\u11ab");
});

test("a word of more than 100 letters is one unknown letter", () => {
  const unknown = "\u{10330}";
  const word = (letters: number): string => "é".repeat(letters);
  expect(wordPieceText(`a ${word(100)} b`)).toBe(`a ${"e".repeat(100)} b`);
  expect(wordPieceText(`a ${word(101)}, ${word(3)}`)).toBe(`a ${unknown}, eee`);
  const sentence = "灯台".repeat(60);
  expect(wordPieceText(sentence)).toBe(sentence);
  expect(wordPieceText(`${"x".repeat(60)}-${"y".repeat(60)}`)).toHaveLength(121);
});
