import { describe, expect, it } from "vitest";
import { expectPackageExpressionsLinear } from "./expect-package-expressions-linear.ts";
import { growthOfSteps, longTexts, shortTexts } from "./growth-of-steps.ts";
import { stepsOfExpressions } from "./steps-of-expressions.ts";

describe("the counter of steps", () => {
  it.each([
    /\s+$/,
    /^[\s,]+|[\s,]+$/g,
    /(?:a|a)*$/,
    /^(?:a+)+$/,
    /\{\s*(.*?)\s*\}/su,
    /^```(?:json)?\s*\n([\s\S]*?)\n?```$/,
    /\b(?:could|can)\b[^.?!]*\b(?:specify|clarify)\b/iu,
    /answer[^:\n]*:\s*(.+)/gi,
    /,?\s+and\s+(?=is\b)|;\s+/,
    /(?:<\/[a-z_ ]+>|\[the end[^\]\n]*\])$/i,
    /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g,
    /(?<=(?:[^\s.]{2}|\d)[.!?]["'”’)\]]*)\s+(?=\S)|\n+/u,
    /^\W*(?:none|unknown)?\W*$/i,
    /^doc ?(\d+)(?: \([^)\n]*\))?[:.]/gim,
    /([-+]?\d*\.?\d+) out of 10/iu,
    /(a+)b\1c/g,
  ])("finds %s worse than linear", (expression) => {
    expect(growthOfSteps(expression, shortTexts)).toMatch(/steps a character/);
    expect(growthOfSteps(expression, longTexts)).toMatch(/steps a character/);
  });

  it.each([
    /(?<!\s)\s+$/,
    /\s+/g,
    /^(?:a|b)*c/,
    /\[(\d+(?:\s*,\s*\d+)*)\]/g,
    /[^"]{0,20}"/,
    /(?:a|b){2,4}?\b(?=c)(?!d)\B/u,
  ])("finds %s linear", (expression) => {
    expect(growthOfSteps(expression, shortTexts)).toBeUndefined();
    expect(growthOfSteps(expression, longTexts)).toBeUndefined();
  });
});

describe("the counter of steps of a piece of work", () => {
  const stepsOf = (work: (text: string) => unknown, length: number): number =>
    stepsOfExpressions(() => void work(`${" ".repeat(length)}x`));

  it.each<readonly [string, (text: string) => unknown]>([
    ["trims by an expression", (text) => text.replace(/\s+$/, "")],
    ["splits", (text) => text.split(/\s+$/)],
    ["looks for all matches", (text) => [...text.matchAll(/\s+$/g)]],
    ["tests", (text) => /\s+$/.test(text)],
    ["tests within a replacement", (text) => "a".replace(/a/, () => String(/\s+$/.test(text)))],
    ["applies one at each place", (text) => Array.from(text, () => /a/.exec(text))],
  ])("sees that work which %s grows with the square", (_, work) => {
    expect(stepsOf(work, 800) / stepsOf(work, 200)).toBeGreaterThan(12);
  });

  it("sees that other work does not", () => {
    const work = (text: string) => text.replaceAll(/(?<!\s)\s+/g, " ");
    expect(stepsOf(work, 800) / stepsOf(work, 200)).toBeLessThan(5);
  });
});

expectPackageExpressionsLinear(shortTexts);
