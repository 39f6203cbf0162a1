import { median } from "../../support/measure.ts";
import { runAx } from "../engines/run-ax.ts";
import type { RunFigures } from "../engines/run-figures.ts";
import { runOurs } from "../engines/run-ours.ts";
import { pacedCall } from "./paced-call.ts";
import type { Environment } from "../environments/environment.ts";

export interface WallClock {
  /** Median over the tasks, in ms. */
  readonly wallMs: number;
  /** Mean over the tasks. */
  readonly val: number;
  /** The maximum number of concurrent calls. */
  readonly inFlight: number;
}

export interface WallClocks {
  readonly espalier: WallClock;
  readonly ax: WallClock;
  readonly axRepaired: WallClock;
}

/**
 * Times a search whose LM answers after 20 ms, on tasks whose rollouts always run two steps. Ours
 * runs up to `inFlight` rollouts concurrently; ax's sends one call after the other. Throws if the
 * scores differ from those of a search with one rollout at a time.
 */
export async function wallClock(
  tasks: readonly Environment[],
  inFlight: number,
): Promise<WallClocks> {
  const limits = { metricCalls: 200, texts: 18, run: 0 };
  const espalier = await timed(tasks, async (task, call) => {
    const found = await runOurs(task, limits, { concurrency: inFlight, call });
    const alone = await runOurs(task, limits, { concurrency: 1 });
    if (found.val !== alone.val || found.metricCalls !== alone.metricCalls) {
      throw new Error(`Val ${found.val} with ${inFlight} in flight, ${alone.val} with one.`);
    }
    return found;
  });
  if (espalier.inFlight > inFlight) throw new Error(`${espalier.inFlight} calls were in flight.`);
  return {
    espalier,
    ax: await timed(tasks, (task, call) => runAx(task, limits, { isRepaired: false, call })),
    axRepaired: await timed(tasks, (task, call) => runAx(task, limits, { isRepaired: true, call })),
  };
}

async function timed(
  tasks: readonly Environment[],
  search: (task: Environment, call: () => Promise<void>) => Promise<RunFigures>,
): Promise<WallClock> {
  const { call, most } = pacedCall();
  const walls: number[] = [];
  const vals: number[] = [];
  for (const task of tasks) {
    const { wallMs, val } = await search(task, call);
    walls.push(wallMs);
    vals.push(val);
  }
  return {
    wallMs: median(walls),
    val: vals.reduce((sum, val) => sum + val, 0) / vals.length,
    inFlight: most(),
  };
}

export function wallClockTable({ espalier, ax, axRepaired }: WallClocks): readonly string[] {
  const rows = { espalier, "ax as shipped": ax, "ax repaired": axRepaired };
  return [
    "200 metric calls, two steps, 20 ms per LM call    wall       val    in flight",
    ...Object.entries(rows).map(([name, { wallMs, val, inFlight }]) =>
      [
        name.padEnd(50),
        `${wallMs.toFixed(0)} ms`.padEnd(11),
        val.toFixed(3).padEnd(7),
        String(inFlight),
      ].join(""),
    ),
  ];
}
