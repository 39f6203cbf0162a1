import type { Parts } from "../../servers/index.ts";
import { parts } from "../../servers/index.ts";
import { standInModels } from "./rehearsal-package.ts";

/** Stand-ins for every part, where none is asked: neither texts nor signatures depend on parts. */
export async function unaskedParts(): Promise<Parts> {
  return parts({ fillsGaps: true, standInModels: await standInModels() });
}
