import type { Experiment } from "../../experiment/files.ts";
import { isExperiment } from "../../experiment/files.ts";
import type { Parts } from "../../servers/index.ts";
import { loadDefault } from "./load-default.ts";

/** Imports a file that default-exports an experiment, or a function that makes one of parts. */
export async function loadExperiment(path: string, parts: Parts): Promise<Experiment> {
  return loadDefault(path, "experiment", { guard: isExperiment, parts });
}
