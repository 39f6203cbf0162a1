import type { Candidate, Component } from "../../contract/index.ts";
import { canonicalJson } from "../../internal/index.ts";

/** Whether two candidates show the same demonstrations, in the same order. */
export function showsSameDemonstrations(one: Candidate, other: Candidate): boolean {
  if (one === other) return true;
  return canonicalJson(one.filter(isShown)) === canonicalJson(other.filter(isShown));
}

function isShown({ kind, value }: Component): boolean {
  return kind === "demos" && (value as readonly unknown[]).length > 0;
}
