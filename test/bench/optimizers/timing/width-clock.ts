import { adaptiveWidth } from "espalier/optimizer";
import { runOurs } from "../engines/run-ours.ts";
import type { Cell } from "../environments/cells.ts";
import { countedWaits, pacedCall } from "./paced-call.ts";

/** A cell's searches with an LM that answers after 20 ms. */
export interface WidthClock {
  readonly shape: string;
  readonly metricCalls: number;
  readonly tasks: number;
  readonly one: SearchTimes;
  readonly wide: SearchTimes;
}

/** Of one kind of search, summed over tasks. */
export interface SearchTimes {
  readonly wallMs: number;
  /** Waits for the LM one after the other: what the time would be without any other work. */
  readonly waits: number;
  /** The maximum number of concurrent calls. */
  readonly inFlight: number;
}

const kinds = {
  one: {},
  wide: { proposals: adaptiveWidth() },
} as const;
const inTurn = ["one", "wide"] as const;

/** Times both kinds of search on the first tasks of each cell, by turns. */
export async function widthClocks(
  cells: readonly Cell[],
  { tasks, inFlight }: { readonly tasks: number; readonly inFlight: number },
): Promise<readonly WidthClock[]> {
  const clocks: WidthClock[] = [];
  for (const cell of cells) {
    const { shape, metricCalls, runs } = cell;
    if (shape.isMissing !== undefined) continue;
    const chosen = runs.filter(({ run }) => shape.runsOfTask === 1 || run === 0).slice(0, tasks);
    const times = { one: { wallMs: 0, waits: 0 }, wide: { wallMs: 0, waits: 0 } };
    const paced = { one: pacedCall(), wide: pacedCall() };
    for (const [number, place] of chosen.entries()) {
      // Neither always comes first.
      for (const kind of number % 2 === 0 ? inTurn : inTurn.toReversed()) {
        const counted = countedWaits();
        const search = async (call: () => Promise<void>) =>
          searched(cell, place, { options: kinds[kind], concurrency: inFlight, call });
        times[kind].wallMs += (await search(paced[kind].call)).wallMs;
        await search(counted.call);
        times[kind].waits += counted.waits();
      }
    }
    clocks.push({
      shape: shape.key,
      metricCalls,
      tasks: chosen.length,
      one: { ...times.one, inFlight: paced.one.most() },
      wide: { ...times.wide, inFlight: paced.wide.most() },
    });
  }
  return clocks;
}

async function searched(
  { shape, actsOn, metricCalls }: Cell,
  { task, run }: Cell["runs"][number],
  setting: Parameters<typeof runOurs>[2],
): ReturnType<typeof runOurs> {
  const texts = shape.texts?.[metricCalls];
  const limits = { metricCalls, run, ...(texts !== undefined && { texts }) };
  return runOurs(shape.environment(task, actsOn), limits, setting);
}

export function widthTable(clocks: readonly WidthClock[]): readonly string[] {
  return [
    "20 ms per LM call          calls   tasks   one at a time   adaptive   ratio   waits           ratio   in flight",
    ...clocks.map(({ shape, metricCalls, tasks, one, wide }) =>
      [
        shape.padEnd(27),
        String(metricCalls).padEnd(8),
        String(tasks).padEnd(8),
        `${(one.wallMs / 1_000).toFixed(2)} s`.padEnd(16),
        `${(wide.wallMs / 1_000).toFixed(2)} s`.padEnd(11),
        (wide.wallMs / one.wallMs).toFixed(2).padEnd(8),
        `${one.waits}, ${wide.waits}`.padEnd(16),
        (wide.waits / one.waits).toFixed(2).padEnd(8),
        `${one.inFlight}, ${wide.inFlight}`,
      ].join(""),
    ),
  ];
}
