import { describe, expect, it } from "vitest";
import type { RunFigures } from "../engines/run-figures.ts";
import { engineFigures } from "./cell-figures.ts";
import { lostCells } from "./table.ts";

function figures(task: number, test: number): RunFigures {
  return { task, run: task, val: test, test, metricCalls: 1, texts: 1, wallMs: 1 };
}

describe("the rows of bench:optimizers", () => {
  it("say where a peer is above ours by more than the interval", () => {
    const of = (test: (task: number) => number): readonly RunFigures[] =>
      Array.from({ length: 12 }, (_, task) => figures(task, test(task)));
    const ours = of((task) => 0.5 + task / 100);
    const rowWith = (theirs: readonly RunFigures[]) => ({
      shape: "a",
      about: "",
      actsOn: "one",
      metricCalls: 200,
      engines: [engineFigures("ours", ours, null), engineFigures("theirs", theirs, ours)],
    });
    expect(lostCells([rowWith(of((task) => 0.6 + task / 110))])).toEqual([
      expect.stringContaining("theirs is 0.095 above ours"),
    ]);
    expect(lostCells([rowWith(of((task) => (task % 2 === 0 ? 0.1 : 1)))])).toEqual([]);
  });

  it("do not say so of ours with fewer texts, which has another cap", () => {
    const of = (test: number) =>
      Array.from({ length: 12 }, (_, task) => figures(task, test + task / 100));
    const engines = ["espalier", "espalier, half the texts"].map((name, index) =>
      engineFigures(name, of(index / 2), index === 0 ? null : of(0)),
    );
    expect(engines[1]?.ahead?.interval?.high).toBeLessThan(0);
    expect(
      lostCells([{ shape: "a", about: "", actsOn: "one", metricCalls: 200, engines }]),
    ).toEqual([]);
  });
});
