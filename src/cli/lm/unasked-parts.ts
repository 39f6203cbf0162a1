import type { Parts } from "../../servers/index.ts";
import { parts } from "../../servers/index.ts";
import { mockModels } from "./rehearsal-package.ts";

/** Mocks for every part, where none is asked: neither texts nor signatures depend on parts. */
export async function unaskedParts(): Promise<Parts> {
  return parts({ fillsGaps: true, mockModels: await mockModels() });
}
