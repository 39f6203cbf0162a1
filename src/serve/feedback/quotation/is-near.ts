/**
 * How many comparisons of letters or words a search may still make; beyond them it finds no near
 * texts.
 */
export interface Steps {
  left: number;
}

/** A text, with the parts that are compared first. */
export interface NearText {
  readonly text: string;
  readonly digits: string;
}

/**
 * @returns `undefined` for a text of fewer than 12 or more than 500 letters, which is near only to
 *   itself
 */
export function nearText(text: string): NearText | undefined {
  if (text.length < 12 || text.length > 500) return undefined;
  return { text, digits: text.replaceAll(/\D/g, "") };
}

/**
 * Whether two texts differ by little: one letter edit per 40 letters, or one edit if they are
 * shorter, and the same digits.
 *
 * @param steps reduced by the steps made; if they run out, the texts count as different
 */
export function isNear(one: NearText, other: NearText, steps: Steps): boolean {
  if (one.text === other.text) return true;
  const most = Math.max(1, Math.floor(Math.min(one.text.length, other.text.length) / 40));
  if (Math.abs(one.text.length - other.text.length) > most) return false;
  // A different number is a different fact, not a slip of the pen.
  if (one.digits !== other.digits) return false;
  const start = sharedStart(one.text, other.text);
  const [oneRest, otherRest] = [one.text.slice(start), other.text.slice(start)];
  const end = sharedEnd(oneRest, otherRest);
  steps.left -= start + end + 1;
  return isWithin(
    oneRest.slice(0, oneRest.length - end),
    otherRest.slice(0, otherRest.length - end),
    most,
    steps,
  );
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function sharedEnd(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let length = 0;
  while (length < shorter && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

/**
 * Levenshtein's distance, in a band of `most` on both sides of the diagonal: place `at` of a row is
 * column `row + at - most`.
 */
function isWithin(one: string, other: string, most: number, steps: Steps): boolean {
  const width = 2 * most + 1;
  const tooMany = most + 1;
  let previous = Array.from({ length: width }, (_, at) => (at < most ? tooMany : at - most));
  let current = previous.slice();
  for (let row = 1; row <= one.length; row += 1) {
    if (steps.left <= 0) return false;
    steps.left -= width;
    let least = tooMany;
    for (let at = 0; at < width; at += 1) {
      const column = row + at - most;
      let cost = tooMany;
      if (column === 0) cost = row;
      else if (column > 0 && column <= other.length) {
        const replaced = (previous[at] ?? tooMany) + (one[row - 1] === other[column - 1] ? 0 : 1);
        const removed = (previous[at + 1] ?? tooMany) + 1;
        const added = (current[at - 1] ?? tooMany) + 1;
        cost = Math.min(replaced, removed, added);
      }
      current[at] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return false;
    [previous, current] = [current, previous];
  }
  return (previous[other.length - one.length + most] ?? tooMany) <= most;
}
