import type { LmIdentity } from "../../contract/index.ts";
import { isRehearsal } from "../../internal/index.ts";

/** What every figure obtained with the rehearsal LM is shown with; empty for a real model. */
export function rehearsalWarning(lm: LmIdentity): string {
  return isRehearsal(lm)
    ? "rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model"
    : "";
}
