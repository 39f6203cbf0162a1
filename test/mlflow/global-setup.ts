import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { messageOf } from "../../src/errors/index.ts";
import { pythonEnvironment } from "../support/python/python-environment.ts";
import { say, testCacheFolder, UnavailableError } from "../support/python/test-cache.ts";
import { mlflowProcess } from "./support/mlflow-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the MLflow server; empty if there is none. */
    readonly mlflow: string;
    /** The interpreter that has MLflow's own client. */
    readonly mlflowPython: string;
    /** Why there is no server; empty if there is one. */
    readonly mlflowUnavailable: string;
  }
}

let running: AsyncDisposable | undefined;

/** Installs MLflow once, and starts one server for all tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  provide("mlflow", "");
  provide("mlflowPython", "");
  provide("mlflowUnavailable", "");
  try {
    const python = await pythonEnvironment(testCacheFolder(), {
      requirementsFile: resolve(import.meta.dirname, "requirements.txt"),
      what: { name: "MLflow", cost: "850 MB on disk, some 3 to 10 minutes" },
    });
    const started = await mlflowProcess(python);
    running = started;
    provide("mlflow", started.url);
    provide("mlflowPython", python);
  } catch (error) {
    if (!(error instanceof UnavailableError) || process.env["CI"] === "true") throw error;
    say(`SKIPPED, every test: ${messageOf(error)}`);
    provide("mlflowUnavailable", messageOf(error));
  }
}

export async function teardown(): Promise<void> {
  await running?.[Symbol.asyncDispose]();
}
