import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { sharedData } from "../../../support/shared-data.ts";
import type { RunFigures } from "../engines/run-figures.ts";

const file = (name: string): string => sharedData(`../bench/joint/${name}`).file;

/** A run of an optimizer of DSPy, as the yardstick's own script prints it. */
interface DspyRun {
  readonly opt: string;
  readonly variant: string;
  readonly budget: number;
  readonly params: string;
  readonly seed: number;
  readonly run: number;
  readonly val: number;
  readonly test: number;
  readonly student: number;
  readonly proposer: number;
  readonly wall_s: number;
  readonly error?: string;
}

export interface DspyCell {
  /** A name of the yardstick's script: `mipro`, `bootrs`, `simba`, `gepa`. */
  readonly optimizer: string;
  readonly variant: string;
  readonly studentCalls: number;
}

type Place = Pick<RunFigures, "task" | "run">;

/** Runs that came with the yardstick, by cell and place. */
export function recordedDspyRuns(): (cell: DspyCell, place: Place) => RunFigures | undefined {
  const { runs } = JSON.parse(readFileSync(file("peers.json"), "utf8")) as {
    readonly runs: readonly DspyRun[];
  };
  const keyOf = (...parts: readonly (string | number)[]): string => parts.join("/");
  const known = new Map(
    runs
      .filter(({ params }) => params === "default")
      .map((one) => [keyOf(one.opt, one.variant, one.budget, one.seed, one.run), one] as const),
  );
  return ({ optimizer, variant, studentCalls }, { task, run }) => {
    const found = known.get(keyOf(optimizer, variant, studentCalls, task, run));
    return found && figuresOf(found);
  };
}

/** One run by the yardstick's script; the runs of a task before it are made along with it. */
export async function runDspy(
  python: string,
  { optimizer, variant, studentCalls }: DspyCell,
  { task, run }: Place,
): Promise<RunFigures> {
  const args = [optimizer, variant, String(studentCalls), String(task), String(run + 1)];
  const { stdout } = await promisify(execFile)(python, [file("dspy_peers.py"), ...args], {
    env: { ...process.env, PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" },
    maxBuffer: 1e8,
  });
  const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as DspyRun;
  if (last.error !== undefined && last.val === undefined) throw new Error(last.error);
  return figuresOf(last);
}

function figuresOf({ seed, run, val, test, student, proposer, wall_s }: DspyRun): RunFigures {
  return {
    task: seed,
    run,
    val,
    test,
    metricCalls: student,
    texts: proposer,
    wallMs: wall_s * 1_000,
  };
}
