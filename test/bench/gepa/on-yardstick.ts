import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";
import type { Cell } from "./cells.ts";
import { cells } from "./cells.ts";
import type { CellFigures, PairedGain } from "./figures.ts";
import { figuresOf, pairedGain } from "./figures.ts";
import type { Peer } from "./peer.ts";
import { runAx } from "./run-ax.ts";
import type { RunFigures } from "./run-espalier.ts";
import { runEspalier } from "./run-espalier.ts";
import { runPeer } from "./run-peer.ts";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";

/** Each engine's results in one cell. */
export interface CellRow {
  readonly cell: Cell;
  readonly espalier: CellFigures;
  /** Ours with no more texts written than gepa writes. */
  readonly espalierFewTexts: CellFigures;
  /** Absent if the peer is unavailable. */
  readonly gepa?: CellFigures;
  /** Our test mean minus gepa's. */
  readonly gain?: PairedGain;
  readonly ax?: CellFigures;
  readonly axRepaired?: CellFigures;
}

/** Runs all engines on all tasks of the yardstick; `tasks` is grouped by variant. */
export async function onYardstick(
  tasks: Readonly<Record<"additive" | "conflict", readonly CoupledTask[]>>,
  {
    peer,
    seeds,
    axSeeds,
  }: { readonly peer: Peer | null; readonly seeds: number; readonly axSeeds: number },
): Promise<readonly CellRow[]> {
  const rows: CellRow[] = [];
  for (const cell of cells) {
    const { metricCalls, reflectionCalls, peerReflectionCalls, peerConfiguration } = cell;
    const ofCell = tasks[cell.variant];
    const ours = await runOurs(ofCell, { metricCalls, reflectionCalls, seeds });
    const few = { metricCalls, reflectionCalls: peerReflectionCalls, seeds };
    const theirs =
      peer === null
        ? null
        : await runPeer(peer, ofCell, { configuration: peerConfiguration, metricCalls, seeds });
    const ax = (isRepaired: boolean): Promise<readonly RunFigures[]> =>
      eachRun(ofCell, axSeeds, (task, seed) => runAx(task, { metricCalls, seed, isRepaired }));
    rows.push({
      cell,
      espalier: figuresOf(ours),
      espalierFewTexts: figuresOf(await runOurs(ofCell, few)),
      ...(theirs && { gepa: figuresOf(theirs), gain: pairedGain(ours, theirs) }),
      ...(axSeeds > 0 && {
        ax: figuresOf(await ax(false)),
        axRepaired: figuresOf(await ax(true)),
      }),
    });
    console.error(`${cell.name}: done`);
  }
  return rows;
}

/** Runs ours on each task with each seed. */
export function runOurs(
  tasks: readonly CoupledTask[],
  {
    seeds,
    ...run
  }: {
    readonly metricCalls: number;
    readonly reflectionCalls: number;
    readonly seeds: number;
    readonly options?: FlatGepaOptions;
    readonly neverRepeats?: boolean;
  },
): Promise<readonly RunFigures[]> {
  return eachRun(tasks, seeds, (task, seed) => runEspalier(task, { ...run, seed }));
}

async function eachRun(
  tasks: readonly CoupledTask[],
  seeds: number,
  search: (task: CoupledTask, seed: number) => Promise<RunFigures>,
): Promise<readonly RunFigures[]> {
  const runs: RunFigures[] = [];
  for (const task of tasks) {
    for (let seed = 0; seed < seeds; seed++) runs.push(await search(task, seed));
  }
  return runs;
}
