import type { Turn } from "espalier";
import { randomSource } from "espalier";

/**
 * Whether the user judge sees a turn: one draw per turn, from the seed and the turn's own words, so
 * that every run judges the same turns at any concurrency. The authors drew with Python's
 * generator, so their turns differ; the share is the same.
 */
export function isUserAsked(
  { question, history }: { readonly question: string; readonly history: readonly Turn[] },
  { rate, seed }: { readonly rate: number; readonly seed: number },
): boolean {
  const turn = JSON.stringify([question, history.map(({ text }) => text)]);
  return randomSource(seed, `user-judge/${turn}`).random() < rate;
}
