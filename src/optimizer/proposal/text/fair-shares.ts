export interface SharingPart {
  /** Room it needs in full. */
  readonly need: number;
  /** Of two parts that are too long, one with twice the weight gets twice as much. @default 1 */
  readonly weight?: number;
}

/**
 * Divides room among parts: short parts get all they need, and the remainder goes to the others, by
 * weight. The shares are in the order of the parts, and their sum is at most the room.
 */
export function fairShares(parts: readonly SharingPart[], room: number): readonly number[] {
  const weightOf = ({ weight = 1 }: SharingPart): number => weight;
  if (parts.reduce((sum, { need }) => sum + need, 0) <= room) return parts.map(({ need }) => need);
  const modestFirst = parts
    .map((part, place) => ({ part, place }))
    .toSorted((one, other) => perWeight(one.part) - perWeight(other.part));
  const shares = Array.from({ length: parts.length }, () => 0);
  let left = Math.max(0, room);
  let weightLeft = parts.reduce((sum, part) => sum + weightOf(part), 0);
  for (const { part, place } of modestFirst) {
    const share = Math.min(part.need, (left * weightOf(part)) / weightLeft);
    shares[place] = share;
    left -= share;
    weightLeft -= weightOf(part);
  }
  return shares;
}

function perWeight({ need, weight = 1 }: SharingPart): number {
  return need / weight;
}
