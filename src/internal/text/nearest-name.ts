import { distance } from "fastest-levenshtein";

/**
 * The name that was probably meant: the one that the fewest changed letters tell from it, if they
 * are at most a third of its letters, or one of which either only goes on further; `undefined` if there is none.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let nearest: { readonly name: string; readonly changes: number } | undefined;
  for (const name of names) {
    const other = name.toLowerCase();
    const goesOn =
      Math.min(wanted.length, other.length) >= 3 &&
      (other.startsWith(wanted) || wanted.startsWith(other));
    const changes = goesOn ? 1 : distance(wanted, other);
    if (changes > mostChanges(wanted) || changes >= (nearest?.changes ?? Infinity)) continue;
    nearest = { name, changes };
  }
  return nearest?.name;
}

function mostChanges({ length }: string): number {
  return Math.max(1, Math.floor(length / 3));
}
