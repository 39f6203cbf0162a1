import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";
import { median } from "../support/measure.ts";
import { runAx } from "./run-ax.ts";
import type { RunFigures } from "./run-espalier.ts";
import { runEspalier } from "./run-espalier.ts";

export interface WallClock {
  /** Median over the tasks, in ms. */
  readonly wallMs: number;
  /** Mean over the tasks. */
  readonly val: number;
  /** The maximum number of concurrent calls. */
  readonly inFlight: number;
}

const metricCalls = 200;
const reflectionCalls = 18;

/**
 * Times a search whose LM answers after 20 ms, on tasks whose rollouts always run two steps. Ours
 * runs up to `inFlight` rollouts concurrently; ax's sends one call after the other. Throws if the
 * scores differ from those of a search with one rollout at a time.
 */
export async function wallClock(
  tasks: readonly CoupledTask[],
  inFlight: number,
): Promise<{
  readonly espalier: WallClock;
  readonly ax: WallClock;
  readonly axRepaired: WallClock;
}> {
  const run = { metricCalls, reflectionCalls, seed: 0 };
  const espalier = await timed(tasks, async (task, call) => {
    const found = await runEspalier(task, { ...run, concurrency: inFlight, call });
    const alone = await runEspalier(task, { ...run, concurrency: 1 });
    if (found.val !== alone.val || found.metricCalls !== alone.metricCalls) {
      throw new Error(`Val ${found.val} with ${inFlight} in flight, ${alone.val} with one.`);
    }
    return found;
  });
  if (espalier.inFlight > inFlight) throw new Error(`${espalier.inFlight} calls were in flight.`);
  const ax = await timed(tasks, (task, call) => runAx(task, { ...run, isRepaired: false, call }));
  const axRepaired = await timed(tasks, (task, call) =>
    runAx(task, { ...run, isRepaired: true, call }),
  );
  return { espalier, ax, axRepaired };
}

async function timed(
  tasks: readonly CoupledTask[],
  search: (task: CoupledTask, call: () => Promise<void>) => Promise<RunFigures>,
): Promise<WallClock> {
  let now = 0;
  let most = 0;
  const call = async (): Promise<void> => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now--;
  };
  const walls: number[] = [];
  const vals: number[] = [];
  for (const task of tasks) {
    const startedAt = performance.now();
    const { val } = await search(task, call);
    walls.push(performance.now() - startedAt);
    vals.push(val);
  }
  return {
    wallMs: median(walls),
    val: vals.reduce((sum, val) => sum + val, 0) / vals.length,
    inFlight: most,
  };
}
