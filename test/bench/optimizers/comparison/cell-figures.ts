import { randomSource } from "espalier";
import type { Interval } from "espalier/evaluate";
import { clusterBootstrap } from "../../../../src/statistics/cluster-bootstrap.ts";
import type { RunFigures } from "../engines/run-figures.ts";

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
  /** Ours less it on test, paired by task and run; absent for ours. */
  readonly ahead?: { readonly difference: number; readonly interval: Interval | null };
  /** How many runs ended for each reason. */
  readonly ended: Readonly<Record<string, number>>;
}

/** `stream` names the random draws of the intervals. */
export function engineFigures(
  engine: string,
  runs: readonly RunFigures[],
  ours: readonly RunFigures[] | null,
  stream = "bench/optimizers",
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
    ...(ours && { ahead: aheadOf(ours, runs, stream) }),
    ended,
  };
}

function aheadOf(
  ours: readonly RunFigures[],
  theirs: readonly RunFigures[],
  stream: string,
): EngineFigures["ahead"] & object {
  const keyOf = ({ task, run }: RunFigures): string => `${task}/${run}`;
  const other = new Map(theirs.map((run) => [keyOf(run), run.test]));
  const paired = ours.filter((run) => other.has(keyOf(run)));
  const gain = (run: RunFigures): number => run.test - (other.get(keyOf(run)) ?? NaN);
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
    statistic: (drawn) => meanOf(Array.from(drawn, (place) => values[place] ?? NaN)),
    resamples: 10_000,
    random: randomSource(0, stream),
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
