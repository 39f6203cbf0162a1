import { existsSync } from "node:fs";
import { join } from "node:path";
import { agreementChecks } from "./agreement-checks.ts";
import { answerChecks } from "./answer-checks.ts";
import type { Agreement, ConformanceCheck } from "./check.ts";
import { referenceData } from "./check.ts";
import { judgeChecks } from "./judge-checks.ts";
import { programChecks } from "./program-checks.ts";
import { retrievalChecks } from "./retrieval-checks.ts";

/** All references, in printing order. */
export const conformanceChecks: readonly ConformanceCheck[] = [
  ...retrievalChecks,
  ...answerChecks,
  ...agreementChecks,
  ...judgeChecks,
  ...programChecks,
];

export type CheckOutcome = { readonly check: ConformanceCheck } & (
  | { readonly state: "agrees" | "differs"; readonly agreement: Agreement }
  | { readonly state: "missing"; readonly files: readonly string[] }
);

/** Runs one check on the files below `folder`. A reference without rows does not agree. */
export async function runCheck(check: ConformanceCheck, folder: string): Promise<CheckOutcome> {
  const files = check.files.filter((file) => !existsSync(join(folder, file)));
  if (files.length > 0) return { check, state: "missing", files };
  const agreement = await check.run(referenceData(folder));
  const isHeld = agreement.total > 0 && agreement.passed === agreement.total;
  return { check, state: isHeld ? "agrees" : "differs", agreement };
}
