import { expect, it } from "vitest";
import type { GepaOptions } from "espalier/optimizer";
import { defaultChecks, gepa, noCopies, notLonger, reflectiveProposer } from "espalier/optimizer";
import { thrownBy } from "../../../support/thrown-by.ts";

it.each<readonly [string, () => unknown]>([
  ["gateAbove", () => gepa({ gateAbove: -1 })],
  ["gateAbove", () => gepa({ gateAbove: NaN })],
  ["gateAbove", () => gepa({ gateAbove: Infinity })],
  ["perfectScore", () => gepa({ perfectScore: NaN })],
  ["inheritance", () => gepa({ inheritance: "traces" as GepaOptions["inheritance"] & string })],
  ["frontier", () => gepa({ frontier: "pareto" as GepaOptions["frontier"] & string })],
  ["maxTextLength", () => gepa({ maxTextLength: 100, checks: defaultChecks() })],
  ["sampling", () => gepa({ sampling: {}, proposer: reflectiveProposer() })],
  ["words", () => noCopies({ words: 0 })],
  ["wholeField", () => noCopies({ wholeField: 1.5 })],
  ["maxLength", () => notLonger(-1)],
])("an option %s out of its range, or without effect, is refused by name", async (name, make) => {
  const error = await thrownBy(make);
  expect(error.code).toBe("option-invalid");
  expect(error.message).toContain(`\`${name}\``);
});

it("ends of ranges are taken", () => {
  for (const perfectScore of [-5, 0, 100, null]) gepa({ perfectScore });
  for (const gateAbove of [0, 0.5, null]) gepa({ gateAbove });
  expect(noCopies({ words: 1, wholeField: 1 }).settings).toEqual({ words: 1, wholeField: 1 });
});
