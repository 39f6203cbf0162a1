import type { LmIdentity } from "../contract/index.ts";

/**
 * What every figure obtained with the rehearsal LM is shown with; empty for a real model. A rehearsal
 * server announces itself by its model's name, so a URL does not hide it.
 */
export function rehearsalWarning({ provider, model }: LmIdentity): string {
  return /\brehearsal\b/.test(`${provider} ${model}`)
    ? "rehearsal: figures from the rehearsal LM show that the machinery works and say nothing about a real model"
    : "";
}
