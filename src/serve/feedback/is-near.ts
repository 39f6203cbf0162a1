/**
 * Whether two texts differ by little: one edit of a letter in each 40, or one where they are shorter, and
 * the same digits. Texts of fewer than 12 or more than 500 letters are near only to themselves.
 */
export function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  const length = Math.min(one.length, other.length);
  if (length < 12 || Math.max(one.length, other.length) > 500) return false;
  const most = Math.max(1, Math.floor(length / 40));
  if (Math.abs(one.length - other.length) > most) return false;
  // Another number is another fact, and no slip of the pen.
  if (one.replaceAll(/\D/g, "") !== other.replaceAll(/\D/g, "")) return false;
  return isWithin(one, other, most);
}

/** Levenshtein's distance, in a band of `most` on both sides of the diagonal. */
function isWithin(one: string, other: string, most: number): boolean {
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current: number[] = Array.from({ length: other.length + 1 }, () => most + 1);
    if (row <= most) current[0] = row;
    const last = Math.min(other.length, row + most);
    let least = most + 1;
    for (let at = Math.max(1, row - most); at <= last; at += 1) {
      const replaced = (previous[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      const cost = Math.min(replaced, (previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1);
      current[at] = cost;
      least = Math.min(least, cost);
    }
    if (Math.min(least, current[0] ?? 0) > most) return false;
    previous = current;
  }
  return (previous[other.length] ?? most + 1) <= most;
}
