import type { GepaProcess } from "../engines/run-gepa.ts";
import { yardstickVariants } from "../environments/yardstick-shapes.ts";
import type { BenchRequest } from "../options.ts";
import type { OverheadBySize } from "./engine-overhead.ts";
import { ourOverhead, overheadTable, peerOverhead } from "./engine-overhead.ts";
import type { ProcessCost } from "./process-cost.ts";
import { processCosts, processTable } from "./process-cost.ts";
import type { WallClocks } from "./wall-clock.ts";
import { wallClock, wallClockTable } from "./wall-clock.ts";

/** Times of engines and processes; `null` where a part was not asked for or could not be had. */
export interface Timings {
  readonly overhead: OverheadBySize | null;
  readonly gepaOverhead: OverheadBySize | null;
  readonly wallClock: WallClocks | null;
  readonly processCosts: readonly ProcessCost[] | null;
}

/** Measures the parts that were asked for; `print` gets the table of each when it is done. */
export async function timings(
  { parts, rounds, wallTasks, inFlight }: BenchRequest,
  peer: GepaProcess | null,
  print: (table: readonly string[]) => void,
): Promise<Timings> {
  const overhead = parts.has("overhead") ? await ourOverhead(rounds) : null;
  const gepaOverhead = overhead && peer ? await peerOverhead(peer, rounds) : null;
  if (overhead) print(overheadTable({ espalier: overhead, "gepa 0.1.4": gepaOverhead }));
  const clocks = parts.has("wall-clock") ? await clocksOf(wallTasks, inFlight) : null;
  if (clocks) print(wallClockTable(clocks));
  const costs = parts.has("process-cost") ? await processCosts(rounds) : null;
  if (typeof costs === "string") console.error(`SKIPPED, process-cost: ${costs}`);
  const measured = typeof costs === "string" ? null : costs;
  if (measured) print(processTable(measured));
  return { overhead, gepaOverhead, wallClock: clocks, processCosts: measured };
}

async function clocksOf(count: number, inFlight: number): Promise<WallClocks | null> {
  const shape = yardstickVariants.find(({ key }) => key === "interaction-add");
  if (shape === undefined || shape.isMissing !== undefined) {
    console.error(`SKIPPED, wall-clock: ${shape?.isMissing}`);
    return null;
  }
  const places = Array.from({ length: Math.min(count, shape.tasks) }, (_, task) => task);
  return wallClock(
    places.map((task) => shape.environment(task, shape.actsOn)),
    inFlight,
  );
}
