import { expect, test } from "vitest";
import { standInLabel } from "../../src/stand-in/index.ts";

test("each text of the label says rehearsal, and is empty where no stand-in took part", () => {
  const label = standInLabel(true);
  for (const text of Object.values(label)) expect(text).toContain("rehearsal");
  expect(Object.values(standInLabel(false))).toEqual(Object.keys(label).map(() => ""));
});
