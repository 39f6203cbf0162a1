import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordDiff } from "../../src/word-diff/word-diff.ts";
import { changeInWords } from "../../src/word-diff/index.ts";

describe("a word diff", () => {
  it("shows what went and what came, as git does", () => {
    const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
    const textOf = (before: string, after: string): string =>
      wordDiff(before, after)
        .map(({ kind, text }) => marks[kind].join(text))
        .join("");
    expect(textOf("Answer in one short word.", "Answer in one word, please.")).toBe(
      "Answer in one [-short word.-]{+word, please.+}",
    );
    expect(textOf("one two three", "one 2 3 three")).toBe("one [-two-]{+2 3+} three");
    expect(textOf("Answer.", "Answer.\nName the town.")).toBe("Answer.{+\nName the town.+}");
  });

  it("holds both texts, and of two texts with the same words nothing but the same", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", " ", "\n", "  "), { maxLength: 24 })
      .map((words) => words.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = wordDiff(before, after);
        const without = (kind: string): string =>
          parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join("");
        expect(without("added")).toBe(before);
        expect(without("removed")).toBe(after);
        const changed = parts.filter(({ kind }) => kind !== "same");
        expect(changed.length === 0).toBe(before === after);
      }),
    );
  });

  it("has no two changes with white space alone between them", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const parts = wordDiff(one.join(" "), other.join(" "));
        const between = parts.filter(({ kind }, index) => {
          return kind === "same" && index > 0 && index < parts.length - 1;
        });
        for (const { text } of between) expect(text).toMatch(/\S/);
      }),
    );
  });

  it("shares as many words as a longest common subsequence has", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 7 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const shared = wordDiff(one.join(" "), other.join(" "))
          .filter(({ kind }) => kind === "same")
          .flatMap(({ text }) => text.match(/\S+/g) ?? []).length;
        expect(shared).toBe(longestCommon(one, other));
      }),
    );
  });

  it("shows a text of 20,000 words as replaced by another that shares none", () => {
    const [before, after] = [manyWords("old"), manyWords("new")];
    expect(wordDiff(before, after)).toEqual([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  });

  it("shows the changed words of a text of 20,000 words", () => {
    const before = manyWords("word");
    expect(wordDiff(before, before.replace("word777 ", "seven "))).toEqual([
      { kind: "same", text: before.slice(0, before.indexOf("word777 ")) },
      { kind: "removed", text: "word777" },
      { kind: "added", text: "seven" },
      { kind: "same", text: before.slice(before.indexOf(" word778 ")) },
    ]);
  });

  it("goes by lines first where too many words differ", () => {
    const [before, after] = [manyWords("old"), manyWords("new")];
    const shared = "A line that stays.\n";
    expect(wordDiff(`${before}\n${shared}is one`, `${after}\n${shared}is two`)).toEqual([
      { kind: "removed", text: before },
      { kind: "added", text: after },
      { kind: "same", text: `\n${shared}is ` },
      { kind: "removed", text: "one" },
      { kind: "added", text: "two" },
    ]);
  });
});

function manyWords(name: string): string {
  return Array.from({ length: 20_000 }, (_, index) => `${name}${index}`).join(" ");
}

/** By trying all subsequences of the first. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  let longest = 0;
  for (let chosen = 0; chosen < 2 ** one.length; chosen++) {
    const picked = one.filter((_, index) => (chosen >> index) & 1);
    let index = 0;
    for (const word of other) if (word === picked[index]) index++;
    if (index === picked.length) longest = Math.max(longest, index);
  }
  return longest;
}

it.each<[was: unknown, now: unknown, words: string]>([
  [1, 2, "was 1 and is 2"],
  ["gepa", "grow", 'was "gepa" and is "grow"'],
  [undefined, true, "is new (true)"],
  [{ k: 1 }, undefined, 'is gone ({"k":1})'],
  ["one of a, b", "one of a, b and spam", 'gained "and spam"'],
  ["of a or b", "of a, spam or b", 'has "a, spam" instead of "a"'],
  ["Be brief, and kind.", "Be brief, and very kind.", 'gained "very"'],
  ["Be brief, and very kind.", "Be brief, and kind.", 'lost "very"'],
  ["Be  brief.", "Be brief.", "differs in white space"],
  [["a", "b"], ["b", "c"], 'gained "c", lost "a"'],
  [["a", "b"], ["b", "a"], 'was ["a","b"] and is ["b","a"]'],
  [[], [1, 2, 3, 4, 5, 6], "gained 1, gained 2, gained 3, gained 4, and 2 more"],
])("%j to %j: %s", (was, now, words) => {
  expect(changeInWords(was, now)).toBe(words);
});
