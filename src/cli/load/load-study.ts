import type { Study } from "../../study/index.ts";
import { isStudy } from "../../study/index.ts";
import type { Parts } from "../../servers/index.ts";
import { loadDefault } from "./load-default.ts";

/** Imports a file that default-exports a study, or a function that makes one of parts. */
export async function loadStudy(path: string, parts: Parts): Promise<Study> {
  return loadDefault(path, "study", { guard: isStudy, parts });
}
