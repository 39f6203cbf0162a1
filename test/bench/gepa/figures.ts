import { randomSource } from "espalier";
import type { Interval } from "espalier/evaluate";
import { clusterBootstrap } from "../../../src/statistics/cluster-bootstrap.ts";
import type { RunFigures } from "./run-espalier.ts";

/** Means over runs. */
export interface CellFigures {
  readonly runs: number;
  readonly val: number;
  readonly test: number;
  readonly metricCalls: number;
  readonly reflectionCalls: number;
}

export function figuresOf(runs: readonly RunFigures[]): CellFigures {
  const mean = (field: "val" | "test" | "metricCalls" | "reflectionCalls"): number =>
    runs.reduce((sum, run) => sum + run[field], 0) / runs.length;
  return {
    runs: runs.length,
    val: mean("val"),
    test: mean("test"),
    metricCalls: mean("metricCalls"),
    reflectionCalls: mean("reflectionCalls"),
  };
}

/** A comparison of test means, paired by task and seed. */
export interface PairedGain {
  readonly difference: number;
  /** 95 % interval from a bootstrap over pairs. */
  readonly interval: Interval | null;
}

/** Our test mean minus theirs, over the runs that both completed. */
export function pairedGain(ours: readonly RunFigures[], theirs: readonly RunFigures[]): PairedGain {
  const keyOf = ({ task, seed }: RunFigures): string => `${task}/${seed}`;
  const other = new Map(theirs.map((run) => [keyOf(run), run.test]));
  const gains = ours.flatMap((run) => {
    const test = other.get(keyOf(run));
    return test === undefined ? [] : [run.test - test];
  });
  const meanOf = (drawn: Int32Array): number =>
    drawn.reduce((sum, place) => sum + (gains[place] ?? 0), 0) / drawn.length;
  return {
    difference: meanOf(Int32Array.from(gains.keys())),
    interval: clusterBootstrap({
      clusterCount: gains.length,
      statistic: meanOf,
      resamples: 10_000,
      random: randomSource(0, "bench/paired-gain"),
    }),
  };
}
