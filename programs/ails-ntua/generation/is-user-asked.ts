import type { Turn } from "espalier";
import { randomSource } from "espalier";

/**
 * Whether the user judge sees a turn: one draw a turn, from the seed and the turn's own words, so that
 * the same turns are judged in every run, whatever runs beside it. The authors drew with Python's
 * generator, so that their turns are others; the share is the same.
 */
export function isUserAsked(
  { question, history }: { readonly question: string; readonly history: readonly Turn[] },
  { rate, seed }: { readonly rate: number; readonly seed: number },
): boolean {
  const turn = JSON.stringify([question, history.map(({ text }) => text)]);
  return randomSource(seed, `user-judge/${turn}`).random() < rate;
}
