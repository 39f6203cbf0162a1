import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import type { Engine } from "../engines/engines.ts";
import { shapes } from "../environments/shapes.ts";
import { runStore } from "../../../../scripts/support/run-store.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import { compare } from "./compare.ts";

const shape = shapes.find(({ key }) => key === "a");
if (shape === undefined) throw new Error("no shape");
const runs = [0, 1, 2, 3].map((task) => ({ task, run: 0 }));

/** Its worth by task; a peer that does not take part is given `null`. */
function engine(
  name: string,
  worth: ((task: number) => Pick<RunFigures, "val" | "test">) | null,
  namesake?: string,
): Engine {
  return {
    name,
    isPeer: false,
    version: "1",
    ...(namesake !== undefined && { namesake }),
    takesPartIn: () => worth !== null,
    search: async (_, { task, run }) => ({
      ...(worth?.(task) ?? { val: NaN, test: NaN }),
      task,
      run,
      metricCalls: 1,
      texts: 1,
      wallMs: 1,
    }),
  };
}

async function compared(engines: readonly Engine[]) {
  await using folder = await temporaryFolder();
  const store = runStore<RunFigures>(join(folder.path, "runs.jsonl"));
  const cells = [{ shape: shape!, actsOn: "three" as const, metricCalls: 200, runs }];
  const recorded = { store, tasksVersion: "1", repeated: 0 };
  const [row] = await Array.fromAsync(compare({ cells, engines }, recorded));
  return new Map(row?.engines.map((one) => [one.engine, one]));
}

const first = engine("first", (task) => ({ val: 0.9, test: 0.7 + task / 10 }));
const own = engine("own", (task) => ({ val: 0.6, test: 0.5 + task / 10 }), "theirs");
const theirs = engine("theirs", (task) => ({ val: 0.4, test: task % 2 === 0 ? 0.4 : 0.8 }));

test("engines are compared with the first by task, on test", async () => {
  const found = await compared([first, own, theirs]);
  expect(found.get("first")).not.toHaveProperty("ahead");
  expect(found.get("own")?.ahead?.difference).toBeCloseTo(0.2, 12);
  expect(found.get("theirs")?.ahead?.difference).toBeCloseTo(0.25, 12);
});

test("one of ours is compared with a peer of its name, wherever in the order that stands", async () => {
  for (const engines of [
    [first, own, theirs],
    [first, theirs, own],
  ]) {
    const { overNamesake } = (await compared(engines)).get("own") ?? {};
    // .1, -.2, .3 and 0 by task.
    expect(overNamesake?.difference).toBeCloseTo(0.05, 12);
    expect(overNamesake?.interval?.low).toBeLessThan(-0.1);
    expect(overNamesake?.interval?.high).toBeGreaterThan(0.1);
  }
});

test("where the peer takes no part, nothing is said of it", async () => {
  const found = await compared([first, own, engine("theirs", null)]);
  expect(found.get("own")).not.toHaveProperty("overNamesake");
  expect(found.has("theirs")).toBe(false);
});
