import type { Serving } from "../../serve/index.ts";
import { isServing } from "../../serve/index.ts";
import { loadDefault } from "./load-default.ts";

/** Imports a file that default-exports a serving. */
export async function loadServing(path: string): Promise<Serving> {
  return loadDefault(path, "serving", isServing);
}
