import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import type { Engine } from "../engines/engines.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import type { Cell } from "../environments/cells.ts";
import { shapes } from "../environments/shapes.ts";
import { runCell } from "./run-cell.ts";
import { runStore } from "../../../../scripts/support/run-store.ts";

function figures(task: number, test: number): RunFigures {
  return { task, run: task, val: test, test, metricCalls: 1, texts: 1, wallMs: 1 };
}

/** Counts its searches; each finds `test`. */
function countedEngine(isPeer: boolean, test: () => number): Engine & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    name: "counted",
    isPeer,
    version: "1",
    takesPartIn: () => true,
    asked,
    search: async (_, { task }) => {
      asked.push(task);
      return figures(task, test());
    },
  };
}

describe("the runs of bench:optimizers", () => {
  const cell = (): Cell => {
    const shape = shapes.find(({ key }) => key === "a");
    if (shape === undefined) throw new Error("no shape");
    const runs = [0, 1, 2].map((task) => ({ task, run: task }));
    return { shape, actsOn: "three", metricCalls: 200, runs };
  };

  it("go on where an interrupted bench was, past a line cut short", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "runs.jsonl");
    const engine = countedEngine(false, () => 0.5);
    const options = { tasksVersion: "1", repeated: 1 };
    const one = { ...cell(), runs: [{ task: 0, run: 0 }] };
    await runCell(engine, one, { ...options, store: runStore(file) });
    appendFileSync(file, '{"key":"coun');
    const runs = await runCell(engine, cell(), { ...options, store: runStore(file) });
    expect(runs.map(({ task }) => task)).toEqual([0, 1, 2]);
    expect(engine.asked).toEqual([0, 1, 2]);
    await runCell(engine, cell(), { ...options, store: runStore(file) });
    expect(engine.asked).toEqual([0, 1, 2]);
  });

  it("of a peer are taken from the store once some of them came out the same again", async () => {
    await using folder = await temporaryFolder();
    const store = runStore<RunFigures>(join(folder.path, "runs.jsonl"));
    const options = { store, tasksVersion: "1", repeated: 1 };
    let test = 0.5;
    const engine = countedEngine(true, () => test);
    await runCell(engine, cell(), options);
    await runCell(engine, cell(), options);
    expect(engine.asked).toEqual([0, 1, 2, 0]);
    test = 0.6;
    const again = await runCell(engine, cell(), options);
    expect(again.map((run) => run.test)).toEqual([0.6, 0.6, 0.6]);
  });

  it("of a peer may have come with the task, and count on the same condition", async () => {
    await using folder = await temporaryFolder();
    const options = { tasksVersion: "1", repeated: 1 };
    const run = async (name: string, recorded: number) => {
      const engine = countedEngine(true, () => 0.5);
      const store = runStore<RunFigures>(join(folder.path, name));
      const known = {
        ...engine,
        recorded: (_: Cell, { task }: { task: number }) => figures(task, recorded),
      };
      const runs = await runCell(known, cell(), { ...options, store });
      return { asked: engine.asked, found: runs.map(({ test }) => test) };
    };
    expect(await run("same", 0.5)).toEqual({ asked: [0], found: [0.5, 0.5, 0.5] });
    expect(await run("other", 0.7)).toEqual({ asked: [0, 0, 1, 2], found: [0.5, 0.5, 0.5] });
  });
});
