import { expect, test } from "vitest";
import type { RowOutcome } from "../../src/experiment/index.ts";
import { withFigures } from "../../src/experiment/experiment-table.ts";
import { thrownBy } from "../support/thrown-by.ts";

test.each(["found-place", "narrow"])("a figure may not replace the metric %s", async (name) => {
  const result = { metric: { name: "found-place" }, objectives: { narrow: 0.5 }, rows: [] };
  const outcome = { name: "one", examples: [], result } as unknown as RowOutcome;
  const error = await thrownBy(() => withFigures(outcome, [{ name, of: () => 1 }]));
  expect(error).toMatchObject({ code: "experiment-invalid" });
  expect(String(error)).toContain(`Got: "${name}"`);
});
