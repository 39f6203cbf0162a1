import type { Serving } from "../../serve/index.ts";
import { isServing } from "../../serve/index.ts";
import type { Parts } from "../../servers/index.ts";
import { loadDefault } from "./load-default.ts";

/** Imports a file that default-exports a serving, or a function that makes one of parts. */
export async function loadServing(path: string, parts: Parts): Promise<Serving> {
  return loadDefault(path, "serving", { guard: isServing, parts });
}
