import { describe, expect, it } from "vitest";
import { changedLines } from "../../../src/cli/terminal/component-changes.ts";

describe("the changed lines of a text", () => {
  it("are shown with a line around them, and the rest is counted", () => {
    const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven";
    expect(changedLines(before, before.replace("six", "six or so"))).toEqual([
      "... 4 lines unchanged",
      "five",
      "six{+ or so+}",
      "seven",
    ]);
  });

  it("keep a single unchanged line, which takes no more room than its count", () => {
    expect(changedLines("a\nb\nc\nd", "a\nb\nc\ne")).toEqual([
      "... 2 lines unchanged",
      "c",
      "[-d-]{+e+}",
    ]);
    expect(changedLines("a\nb\nc", "a\nb\nd")).toEqual(["a", "b", "[-c-]{+d+}"]);
  });

  it("show a change of several lines whole", () => {
    expect(changedLines("a", "a\nb\nc")).toEqual(["a{+", "b", "c+}"]);
  });
});
