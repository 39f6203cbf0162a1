import type { Parts } from "../../servers/index.ts";
import { parts } from "../../servers/index.ts";
import { standInModels } from "../lm/rehearsal-package.ts";

/** Stand-ins for every part: showing asks no server, and texts do not depend on parts. */
export async function shownParts(): Promise<Parts> {
  return parts({ fillsGaps: true, standInModels: await standInModels() });
}
