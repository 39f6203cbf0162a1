import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, inject } from "vitest";

const script = resolve(import.meta.dirname, "read_back.py");

/** As `describe`; where there is no MLflow, every test is skipped, which the setup says loudly. */
export const describeMlflow: typeof describe.skip =
  inject("mlflowUnavailable") === "" ? describe : describe.skip;

/** What MLflow's own client reads. */
export interface ReadBack {
  readonly runs: readonly ReadRun[];
  /** Of no run. */
  readonly traces: readonly ReadTrace[];
  readonly prompts: readonly {
    readonly name: string;
    readonly version: number;
    readonly text: string;
  }[];
}

export interface ReadRun {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly parent: string | null;
  readonly type: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly metrics: Readonly<Record<string, number>>;
  /** Steps and values of the metric. */
  readonly best: readonly (readonly [number, number])[];
  readonly datasets: readonly string[];
  readonly artifacts: readonly string[];
  readonly traces: readonly ReadTrace[];
}

export interface ReadTrace {
  readonly id: string;
  readonly state: string;
  readonly startedAtMs: number;
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly tokens: Readonly<Record<string, number>> | null;
  readonly spans: readonly {
    readonly name: string;
    readonly type: string;
    readonly startNs: number;
    readonly endNs: number;
    readonly isRoot: boolean;
  }[];
  readonly assessments: readonly {
    readonly name: string;
    readonly value: number;
    readonly rationale: string | null;
    readonly source: string;
  }[];
}

export async function readBack(experiment: string): Promise<ReadBack> {
  const args = [script, inject("mlflow"), experiment];
  const { stdout } = await promisify(execFile)(inject("mlflowPython"), args, {
    maxBuffer: 2 ** 28,
    env: { ...process.env, MLFLOW_DISABLE_TELEMETRY: "true" },
  });
  return JSON.parse(stdout) as ReadBack;
}
