import type { Study } from "../../study/index.ts";
import { isStudy } from "../../study/index.ts";
import { loadDefault } from "./load-default.ts";

/** Imports a file that default-exports a study. */
export async function loadStudy(path: string): Promise<Study> {
  return loadDefault(path, "study", isStudy);
}
