import type { Turn } from "espalier";
import { stripped } from "./python-text.ts";

/** The last non-empty turns. */
export function latestTurns(history: readonly Turn[], count: number): readonly Turn[] {
  const spoken = history.filter(({ text }) => stripped(text) !== "");
  return spoken.slice(Math.max(0, spoken.length - count));
}
