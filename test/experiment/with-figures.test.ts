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

test("a figure that throws says of which row and example", async () => {
  const score = { kind: "scored", value: 1 };
  const rows = [{ exampleId: "e1", output: {}, score }];
  const result = { metric: { name: "found-place" }, objectives: {}, rows };
  const outcome = { name: "one", examples: [{ id: "e1" }], result } as unknown as RowOutcome;
  const of = (): number => {
    throw new TypeError("No answer");
  };
  const error = await thrownBy(() => withFigures(outcome, [{ name: "words", of }]));
  expect(error).toMatchObject({ code: "experiment-invalid" });
  expect(String(error)).toContain('The figure "words" failed: No answer (at row one, example e1)');
});
