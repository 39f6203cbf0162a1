import type { Turn } from "espalier";

/** How many of the last turns of each speaker a rewriter reads. */
export type HistoryWindow = Readonly<Record<Turn["speaker"], number>>;

/** The last turns of each speaker, in conversation order. */
export function historyWindow(history: readonly Turn[], window: HistoryWindow): readonly Turn[] {
  const left: Record<Turn["speaker"], number> = { ...window };
  return history
    .toReversed()
    .filter(({ speaker }) => left[speaker]-- > 0)
    .toReversed();
}
