import type { IdkVerdict } from "../metric/index.ts";
import { pythonTrimStart } from "../metric/index.ts";

/**
 * Reads from a judge's reply whether a response declines, by the rule of the official script
 * (`judge_utils.py` of IBM's mt-rag-benchmark, commit cc5b1d4): by its leading letters, in either
 * case. "yes" is 1, "no" is 0, any other word 0.5; a reply that does not begin with a letter, such
 * as "**yes**", is unknown. `null` if there is no reply.
 */
export function idkVerdictIn(reply: string): IdkVerdict;
export function idkVerdictIn(reply: string | null): IdkVerdict | null;
export function idkVerdictIn(reply: string | null): IdkVerdict | null {
  if (reply === null) return null;
  const word = /^[A-Za-z]+/.exec(pythonTrimStart(reply))?.[0].toLowerCase();
  if (word === undefined) return "unknown";
  return word === "yes" ? 1 : word === "no" ? 0 : 0.5;
}
