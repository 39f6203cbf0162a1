import { runExample } from "./run-example.ts";
import type { Runner } from "./runner.ts";

/** Runs examples in this process. */
export const inProcess: Runner = { run: runExample };
