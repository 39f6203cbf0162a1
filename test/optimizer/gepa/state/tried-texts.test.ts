import { expect, it } from "vitest";
import { triedTexts } from "../../../../src/optimizer/gepa/state/search.ts";
import { textOf } from "../support/rollouts.ts";

it("a text is tried after one trial that decides, or three that do not", () => {
  const tried = triedTexts();
  const [one, other] = [textOf("answer", "Be brief."), textOf("answer", "Be long.")];
  tried.add(one, true);
  expect(tried.has(one, "Be  brief.\n")).toBe(true);
  for (const isTried of [false, false, true]) {
    tried.add(other, false);
    expect(tried.has(other, "Be long.")).toBe(isTried);
  }
  // Another component may say the same.
  expect(tried.has(textOf("route", ""), "Be long.")).toBe(false);
});
