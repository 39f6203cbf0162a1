/**
 * The name that was probably meant: the one that the fewest changed letters tell from it, if they
 * are at most a third of its letters, or one of which either only goes on further; `undefined` if
 * there is none.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let nearest: { readonly name: string; readonly changes: number } | undefined;
  for (const name of names) {
    const other = name.toLowerCase();
    const goesOn =
      Math.min(wanted.length, other.length) >= 3 &&
      (other.startsWith(wanted) || wanted.startsWith(other));
    const isFar = Math.abs(wanted.length - other.length) > maxChanges(wanted);
    const changes = goesOn ? 1 : isFar ? Infinity : distance(wanted, other);
    if (changes > maxChanges(wanted) || changes >= (nearest?.changes ?? Infinity)) continue;
    nearest = { name, changes };
  }
  return nearest?.name;
}

function maxChanges({ length }: string): number {
  return Math.max(1, Math.floor(length / 3));
}

/** Levenshtein's: letters to add, drop or change. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const kept = (row[column - 1] as number) + Number(one[line - 1] !== other[column - 1]);
      const added = Math.min(row[column] as number, next[column - 1] as number) + 1;
      next.push(Math.min(kept, added));
    }
    row = next;
  }
  return row[other.length] as number;
}
