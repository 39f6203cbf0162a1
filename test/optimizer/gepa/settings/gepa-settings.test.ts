import { expect, it } from "vitest";
import type { FrontierKind, GepaOptions, ScoreReuse } from "espalier/optimizer";
import { gepa, notLonger } from "espalier/optimizer";
import { thrownBy } from "../../../support/thrown-by.ts";

it.each<readonly [string, () => unknown]>([
  ["gateAbove", () => gepa({ acceptance: { gateAbove: -1 } })],
  ["gateAbove", () => gepa({ acceptance: { gateAbove: NaN } })],
  ["gateAbove", () => gepa({ acceptance: { gateAbove: Infinity } })],
  ["perfectScore", () => gepa({ search: { perfectScore: NaN } })],
  ["scoreReuse", () => gepa({ search: { scoreReuse: "traces" as ScoreReuse } })],
  ["frontier", () => gepa({ search: { frontier: "pareto" as FrontierKind } })],
  ["maxLength", () => notLonger(-1)],
])("an option %s out of its range is refused by name", async (name, make) => {
  const error = await thrownBy(make);
  expect(error.code).toBe("option-invalid");
  expect(error.message).toContain(`\`${name}\``);
});

it("ends of ranges are taken", () => {
  for (const perfectScore of [-5, 0, 100, null]) gepa({ search: { perfectScore } });
  for (const gateAbove of [0, 0.5, null]) gepa({ acceptance: { gateAbove } });
});

it("options that nobody knows are refused, in groups too", async () => {
  for (const options of [{ minibatches: 3 }, { search: { minibatches: 3 } }]) {
    const error = await thrownBy(() => gepa(options as GepaOptions));
    expect(error.code).toBe("option-invalid");
    expect(error.message).toContain("minibatches`");
  }
});
