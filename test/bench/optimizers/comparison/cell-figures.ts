import { randomSource } from "espalier";
import type { Interval } from "espalier/evaluate";
import { clusterBootstrap } from "../../../../src/statistics/cluster-bootstrap.ts";
import type { RunFigures } from "../engines/run-figures.ts";

/** The mean of paired differences, by task and run. */
export interface Gain {
  readonly difference: number;
  /** 95 %; null if all differences are the same. */
  readonly interval: Interval | null;
}

/** An engine in a cell: means over runs. */
export interface EngineFigures {
  readonly engine: string;
  readonly runs: number;
  readonly val: number;
  readonly test: number;
  /** Of the mean on test, 95 %. */
  readonly interval: Interval | null;
  readonly metricCalls: number;
  readonly texts: number;
  readonly wallMs: number;
  /** Ours less it on test; absent for ours. */
  readonly ahead?: Gain;
  /** It less its namesake on test; absent where that did not run. */
  readonly overNamesake?: Gain;
  /** How many runs ended for each reason. */
  readonly ended: Readonly<Record<string, number>>;
}

const ownStream = "bench/optimizers";

/** `stream` names the random draws of the intervals. */
export function engineFigures(
  engine: string,
  runs: readonly RunFigures[],
  ours: readonly RunFigures[] | null,
  stream = ownStream,
): EngineFigures {
  const mean = (field: "val" | "test" | "metricCalls" | "texts" | "wallMs"): number =>
    meanOf(runs.map((run) => run[field]));
  const ended: Record<string, number> = {};
  for (const { ended: why } of runs) if (why !== undefined) ended[why] = (ended[why] ?? 0) + 1;
  return {
    engine,
    runs: runs.length,
    val: mean("val"),
    test: mean("test"),
    interval: intervalOf(runs, ({ test }) => test, stream),
    metricCalls: mean("metricCalls"),
    texts: mean("texts"),
    wallMs: mean("wallMs"),
    ...(ours && { ahead: gainOver(runs, ours, "test", stream) }),
    ended,
  };
}

/** Of `ours` over `theirs`, where both ran. */
export function gainOver(
  theirs: readonly RunFigures[],
  ours: readonly RunFigures[],
  split: "val" | "test",
  stream = ownStream,
): Gain {
  const keyOf = ({ task, run }: RunFigures): string => `${task}/${run}`;
  const other = new Map(theirs.map((run) => [keyOf(run), run[split]]));
  const paired = ours.filter((run) => other.has(keyOf(run)));
  const gain = (run: RunFigures): number => run[split] - (other.get(keyOf(run)) ?? NaN);
  return { difference: meanOf(paired.map(gain)), interval: intervalOf(paired, gain, stream) };
}

/** By a bootstrap over tasks: runs of one task are alike. */
function intervalOf(
  runs: readonly RunFigures[],
  valueOf: (run: RunFigures) => number,
  stream: string,
): Interval | null {
  const byTask = [...Map.groupBy(runs, ({ task }) => task).values()];
  // With few tasks, their runs are what was drawn.
  const clusters = byTask.length >= 10 ? byTask : runs.map((run) => [run]);
  const values = clusters.map((cluster) => meanOf(cluster.map(valueOf)));
  return clusterBootstrap({
    clusterCount: values.length,
    statistic: (drawn) => meanOf(Array.from(drawn, (index) => values[index] ?? NaN)),
    resamples: 10_000,
    random: randomSource(0, stream),
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
