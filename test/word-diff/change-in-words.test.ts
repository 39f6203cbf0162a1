import { expect, it } from "vitest";
import { changeInWords } from "../../src/word-diff/index.ts";

it.each<[was: unknown, now: unknown, words: string]>([
  [1, 2, "was 1 and is 2"],
  ["gepa", "grow", 'was "gepa" and is "grow"'],
  [undefined, true, "is new (true)"],
  [{ k: 1 }, undefined, 'is gone ({"k":1})'],
  ["one of a, b", "one of a, b and spam", 'gained "and spam"'],
  ["of a or b", "of a, spam or b", 'has "a, spam" in place of "a"'],
  ["Be brief, and kind.", "Be brief, and very kind.", 'gained "very"'],
  ["Be brief, and very kind.", "Be brief, and kind.", 'lost "very"'],
  ["Be  brief.", "Be brief.", "differs in white space"],
  [["a", "b"], ["b", "c"], 'gained "c", lost "a"'],
  [["a", "b"], ["b", "a"], 'was ["a","b"] and is ["b","a"]'],
  [[], [1, 2, 3, 4, 5, 6], "gained 1, gained 2, gained 3, gained 4, and 2 more"],
])("%j to %j: %s", (was, now, words) => {
  expect(changeInWords(was, now)).toBe(words);
});
