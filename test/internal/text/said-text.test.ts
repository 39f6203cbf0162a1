import fc from "fast-check";
import { expect, test } from "vitest";
import { growingText, saidText } from "../../../src/internal/index.ts";
import { heldBytes } from "../../support/held-bytes.ts";

const pieces = fc.array(fc.string({ unit: "binary", maxLength: 700 }), { maxLength: 6 });

function saidOf(given: readonly string[]): ReturnType<typeof saidText> {
  const said = saidText();
  for (const piece of given) said.add(piece);
  return said;
}

test("what was said is known again by whatever begins with it, and by nothing else", () => {
  fc.assert(
    fc.property(pieces, pieces, fc.nat(), (given, more, index) => {
      const text = given.join("");
      const said = saidOf(given);
      expect(said.length).toBe(text.length);
      expect(said.begins(text + more.join(""))).toBe(true);
      const at = index % (text.length + 1);
      const other = `${text.slice(0, at)}\u{1F332}${text.slice(at)}`;
      expect(said.begins(other)).toBe(other.startsWith(text));
      expect(said.begins(text.slice(0, at))).toBe(at === text.length);
    }),
  );
});

test("two texts are alike as far as both are known to be", () => {
  const long = "ab".repeat(1_000);
  expect(saidOf([long]).isLike(saidOf([long.slice(0, 700)]))).toBe(true);
  expect(saidOf(["The br"]).isLike(saidOf(["A"]))).toBe(false);
  expect(saidOf([long]).isLike(saidOf([`x${long}`]))).toBe(false);
});

test("a growing text gives back what it was given, whole or from its beginning", () => {
  fc.assert(
    fc.property(pieces, (given) => {
      const [whole, taken] = [growingText(), growingText()];
      for (const piece of given) {
        whole.add(piece);
        taken.add(piece);
      }
      expect(whole.text()).toBe(given.join(""));
      let text = "";
      while (taken.length > 0) text += taken.take();
      expect(text).toBe(given.join(""));
    }),
  );
});

test("a long text is held once, and what was said of it not at all", () => {
  const count = 50_000;
  const piece = (index: number): string => String.fromCharCode(97 + (index % 26)).repeat(4);
  const add = (to: { add(text: string): void }) => {
    for (let index = 0; index < count; index++) to.add(piece(index));
    return to;
  };
  expect(heldBytes(() => add(growingText())) / (4 * count)).toBeLessThan(1.5);
  expect(heldBytes(() => add(saidText())) / (4 * count)).toBeLessThan(0.3);
});
