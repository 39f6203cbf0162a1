import { LmError } from "../../errors/index.ts";

/**
 * Puts one row per text back into the order sent; a surplus or missing row is the server's fault.
 */
export function inOrder<TRow extends { readonly index: number }>(
  rows: readonly TRow[],
  count: number,
  where: string,
): readonly TRow[] {
  const ordered = rows.toSorted((left, right) => left.index - right.index);
  if (ordered.length === count && ordered.every(({ index }, position) => index === position)) {
    return ordered;
  }
  throw new LmError({
    code: "lm-bad-envelope",
    problem: "The server's reply does not match the texts that were sent",
    expected: `one row for each of ${count} texts`,
    got: `rows ${JSON.stringify(ordered.slice(0, 20).map(({ index }) => index))}`,
    where,
  });
}
