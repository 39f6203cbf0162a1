import { describe, expect, it } from "vitest";
import { cellsOf, wholeNumbers } from "./cells.ts";
import { shapes } from "./shapes.ts";

describe("the cells of bench:optimizers", () => {
  it("are those that were asked for", () => {
    const cells = cellsOf(shapes, {
      shapes: ["a", "e"],
      budgets: [200, 2_000],
      tasks: [0, 5],
      runsOfTask: null,
      actsOn: ["own", "one"],
    });
    expect(cells.map((cell) => [cell.shape.key, cell.actsOn, cell.metricCalls])).toEqual([
      ["a", "three", 200],
      ["a", "three", 2_000],
      ["a", "one", 200],
      ["a", "one", 2_000],
      ["e", "three", 2_000],
      ["e", "one", 2_000],
    ]);
    expect(cells[0]?.runs).toEqual([
      { task: 0, run: 0 },
      { task: 5, run: 5 },
    ]);
  });

  it("have no more runs of a task than were asked for", () => {
    const cells = cellsOf(shapes, {
      shapes: ["additive"],
      budgets: [200],
      tasks: [0, 4, 7],
      runsOfTask: 2,
      actsOn: ["own"],
    });
    expect(cells.map(({ runs }) => runs)).toEqual([
      [
        { task: 0, run: 0 },
        { task: 0, run: 1 },
        { task: 4, run: 0 },
        { task: 4, run: 1 },
      ],
    ]);
  });

  it("read ranges and lists of numbers", () => {
    expect(wholeNumbers("0-2,7")).toEqual([0, 1, 2, 7]);
    expect(wholeNumbers("all")).toBeNull();
  });
});
