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
  /** The same, with what the next iteration needs made ahead of it. */
  readonly ahead: SearchTimes;
}

/** Of one kind of search, summed over tasks. */
export interface SearchTimes {
  readonly wallMs: number;
  /** Waits for the LM one after the other: what the time would be without any other work. */
  readonly waits: number;
  /** Made ahead of their iteration and not needed. */
  readonly lost: { readonly texts: number; readonly rollouts: number };
  /** The maximum number of concurrent calls. */
  readonly inFlight: number;
}

const kinds = {
  one: {},
  wide: { proposals: adaptiveWidth() },
  ahead: { proposals: adaptiveWidth({ aheadFrom: 0.6 }) },
} as const;
type Kind = keyof typeof kinds;
const inTurn: readonly Kind[] = ["one", "wide", "ahead"];

/** Times all kinds of search on the first tasks of each cell, by turns. */
export async function widthClocks(
  cells: readonly Cell[],
  { tasks, inFlight }: { readonly tasks: number; readonly inFlight: number },
): Promise<readonly WidthClock[]> {
  const clocks: WidthClock[] = [];
  for (const cell of cells) {
    const { shape, metricCalls, runs } = cell;
    if (shape.isMissing !== undefined) continue;
    const chosen = runs.filter(({ run }) => shape.runsOfTask === 1 || run === 0).slice(0, tasks);
    const times = { one: noTimes(), wide: noTimes(), ahead: noTimes() };
    const paced = { one: pacedCall(), wide: pacedCall(), ahead: pacedCall() };
    for (const [number, place] of chosen.entries()) {
      // None always comes first.
      const first = number % inTurn.length;
      for (const kind of [...inTurn.slice(first), ...inTurn.slice(0, first)]) {
        const counted = countedWaits();
        const search = async (call: () => Promise<void>) =>
          searched(cell, place, { options: kinds[kind], concurrency: inFlight, call });
        times[kind].wallMs += (await search(paced[kind].call)).wallMs;
        const { lost } = await search(counted.call);
        times[kind].waits += counted.waits();
        times[kind].lost.texts += lost?.texts ?? 0;
        times[kind].lost.rollouts += lost?.rollouts ?? 0;
      }
    }
    clocks.push({
      shape: shape.key,
      metricCalls,
      tasks: chosen.length,
      one: { ...times.one, inFlight: paced.one.most() },
      wide: { ...times.wide, inFlight: paced.wide.most() },
      ahead: { ...times.ahead, inFlight: paced.ahead.most() },
    });
  }
  return clocks;
}

function noTimes() {
  return { wallMs: 0, waits: 0, lost: { texts: 0, rollouts: 0 } };
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
    "20 ms per LM call          calls   tasks   one at a time   adaptive   ratio   waits, and looking ahead        ratio   ratio   lost      in flight",
    ...clocks.map(({ shape, metricCalls, tasks, one, wide, ahead }) =>
      [
        shape.padEnd(27),
        String(metricCalls).padEnd(8),
        String(tasks).padEnd(8),
        `${(one.wallMs / 1_000).toFixed(2)} s`.padEnd(16),
        `${(wide.wallMs / 1_000).toFixed(2)} s`.padEnd(11),
        (wide.wallMs / one.wallMs).toFixed(2).padEnd(8),
        `${one.waits}, ${wide.waits}, ${ahead.waits}`.padEnd(32),
        (wide.waits / one.waits).toFixed(2).padEnd(8),
        (ahead.waits / one.waits).toFixed(2).padEnd(8),
        `${ahead.lost.texts}, ${ahead.lost.rollouts}`.padEnd(10),
        `${one.inFlight}, ${wide.inFlight}`,
      ].join(""),
    ),
  ];
}
