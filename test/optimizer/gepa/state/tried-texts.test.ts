import { expect, it } from "vitest";
import { triedTexts } from "../../../../src/optimizer/gepa/state/search-state.ts";
import { textOf } from "../support/rollouts.ts";

it("a text is tried after one trial that decides, or three that do not", () => {
  const tried = triedTexts();
  const [one, other] = [textOf("answer", "Be brief."), textOf("answer", "Be long.")];
  tried.add(one, [one], true);
  expect(tried.has(one, "Be  brief.\n")).toBe(true);
  for (const isTried of [false, false, true]) {
    tried.add(other, [other], false);
    expect(tried.has(other, "Be long.")).toBe(isTried);
  }
  // Another component may say the same.
  expect(tried.has(textOf("route", ""), "Be long.")).toBe(false);
});

it("a text that was tried beside one text of another step was not tried beside another", () => {
  const tried = triedTexts();
  const one = textOf("answer", "Be brief.");
  const [before, after] = ["Look up.", "Look up more."].map((text) => textOf("route", text));
  tried.add(one, [before!, one], true);
  expect(tried.has(one, "Be brief.")).toBe(true);
  expect(tried.hasBeside(one, "Be brief.", [before!, textOf("answer", "")])).toBe(true);
  expect(tried.hasBeside(one, "Be brief.", [after!, textOf("answer", "")])).toBe(false);
});
