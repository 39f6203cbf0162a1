import { expect, test } from "vitest";
import { sharedData } from "../../support/shared-data.ts";
import { keptCells, keyOf, runCell } from "./cells.ts";
import { endpoint } from "./endpoint.ts";
import { recordings } from "./recordings.ts";
import { searches } from "./searches.ts";
import { tasks } from "./tasks.ts";

const data = sharedData("real");

test.skipIf(data.isAbsent)(
  `a search of the table finds the same again from recorded replies${data.note}`,
  async () => {
    const [task] = tasks;
    const search = searches.find(({ name }) => name === "bootstrap");
    if (task === undefined || search === undefined) throw new Error("The table lacks the cell.");
    const cell = { task, search, seed: 0, model: "smollm2-135m", reflectionModel: "" };
    const kept = keptCells().get(keyOf(cell));
    await using replayed = await endpoint({
      recordings: recordings(),
      upstream: async () => null,
    });
    const found = await runCell(cell, { endpoint: replayed, dspy: "not asked" });
    expect(kept).toBeDefined();
    expect(found).toEqual(kept);
    expect(found.test).toHaveLength(200);
    expect(found.student.calls).toBeLessThanOrEqual(200);
  },
);
