import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedData } from "../../support/shared-data.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { engineFigures } from "./cell-figures.ts";
import type { Cell } from "./cells.ts";
import { cellsOf, wholeNumbers } from "./cells.ts";
import type { Engine } from "./engines.ts";
import { trueMean } from "./environment.ts";
import { readJointYardstick } from "./joint-environment.ts";
import { runCell } from "./run-cell.ts";
import type { RunFigures } from "./run-ours.ts";
import { runOurs } from "./run-ours.ts";
import { runStore } from "./run-store.ts";
import { shapes } from "./shapes.ts";
import { lostCells } from "./table.ts";

const selectAll = { shapes: null, budgets: null, tasks: null, actsOn: ["own"] as const };

const joint = sharedData("../bench/joint/joint.mjs");

function shape(key: string): (typeof shapes)[number] {
  const found = shapes.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no shape ${key}`);
  return found;
}

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

describe("the tasks of bench:optimizers", () => {
  it("are the same tasks every time", () => {
    const scores = shapes
      .filter(({ isMissing }) => isMissing === undefined)
      // The tasks of the yardsticks are checked where they are kept.
      .filter(({ key }) => !/^(?:additive|conflict|joint-)/.test(key))
      .map(({ key, environment }) => {
        const task = environment(3, "three");
        const feedback = Object.entries(task.feedback(task.texts, task.train[0] ?? ""));
        return [key, trueMean(task, "test", task.texts).toFixed(4), feedback.flat().join(" ")];
      });
    expect(scores).toMatchInlineSnapshot(`
      [
        [
          "a",
          "0.0000",
          "c0 ADD kw_c0_2",
        ],
        [
          "b",
          "0.0000",
          "c0 ADD kw_c0_4 c1 ADD kw_c1_1 c2 ADD kw_c2_1",
        ],
        [
          "c",
          "0.0000",
          "c0 ADD kw_c0_0",
        ],
        [
          "c'",
          "0.3328",
          "prompt Case tr0: skill 9 was lacking.",
        ],
        [
          "d",
          "0.0000",
          "c0 ADD kw_c0_1",
        ],
        [
          "e",
          "0.9400",
          "",
        ],
      ]
    `);
  });

  it.skipIf(shape("joint-all").isMissing !== undefined)(
    `of the joint yardstick are worth what its own formula says${joint.note}`,
    async () => {
      const { Task, DEFAULTS } = await readJointYardstick(joint.file);
      const { environment } = shape("joint-all");
      for (const seed of [0, 4]) {
        const texts = { step1: "Carry out step 1. kw_1_00 kw_1_03", step2: "kw_2_05 kw_1_07" };
        const steps = [new Set([0, 3]), new Set([5])].map((words) => ({
          words,
          demos: [] as const,
        }));
        const exact = new Task("all", seed).exact({ steps, par: DEFAULTS }, "te");
        expect(trueMean(environment(seed, "three"), "test", texts)).toBeCloseTo(exact, 12);
      }
    },
  );

  it("act on as many lessons as the stand-in is said to act on", () => {
    for (const key of ["a", "joint-all"].filter((one) => shape(one).isMissing === undefined)) {
      const { environment } = shape(key);
      const [component, keyword] = key === "a" ? ["c0", "kw_c0_"] : ["step1", "kw_1_0"];
      for (const [actsOn, added] of [
        ["one", 1],
        ["three", 3],
        ["all", 5],
      ] as const) {
        const task = environment(0, actsOn);
        const feedback = [0, 1, 2, 3, 4].map((number) => `ADD ${keyword}${number}`);
        const written = Array.from({ length: 40 }, (_, call) =>
          task.rewrite({ component, text: "base", feedback, run: 0, call }),
        );
        const counts = written.map((text) =>
          text.split(" ").filter((word) => word.startsWith("kw")),
        );
        expect(Math.max(...counts.map(({ length }) => length))).toBe(added);
      }
    }
  });

  it("say nothing about examples outside train", () => {
    for (const { environment, isMissing } of shapes) {
      if (isMissing !== undefined) continue;
      const task = environment(0, "three");
      expect(task.feedback(task.texts, task.val[0] ?? "")).toEqual({});
      expect(task.feedback(task.texts, task.test[0] ?? "")).toEqual({});
    }
  });

  it("are searched within their caps", async () => {
    const task = shape("a").environment(0, "three");
    const found = await runOurs(task, { metricCalls: 120, texts: 4, run: 0 });
    expect(found.metricCalls).toBeLessThanOrEqual(120);
    expect(found.texts).toBeLessThanOrEqual(4);
  });
});

describe("the cells of bench:optimizers", () => {
  it("are those that were asked for", () => {
    const cells = cellsOf(shapes, {
      shapes: ["a", "e"],
      budgets: [200, 2_000],
      tasks: [0, 5],
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

  it("read ranges and lists of numbers", () => {
    expect(wholeNumbers("0-2,7")).toEqual([0, 1, 2, 7]);
    expect(wholeNumbers("all")).toBeNull();
  });
});

describe("the runs of bench:optimizers", () => {
  const cell = (): Cell => {
    const [first] = cellsOf([shape("a")], { ...selectAll, tasks: [0, 1, 2] });
    if (first === undefined) throw new Error("no cell");
    return first;
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
    const store = runStore(join(folder.path, "runs.jsonl"));
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
});
