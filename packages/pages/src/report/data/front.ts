import type { ComparedCandidate, ComparedMeasure } from "../../../../../src/report/index.ts";

/** A measure by which candidates can be compared. */
export type Axis = Pick<ComparedMeasure, "name" | "better">;

/** Measures of all candidates, each once, in the order they appear. */
export function axesOf(candidates: Iterable<ComparedCandidate>): readonly Axis[] {
  const axes = new Map<string, Axis>();
  for (const { measures } of candidates) {
    for (const { name, better } of measures) if (!axes.has(name)) axes.set(name, { name, better });
  }
  return [...axes.values()];
}

export interface Placed<TItem> {
  readonly item: TItem;
  readonly x: number;
  readonly y: number;
}

/**
 * The points that no other one beats in one measure without being worse in the other, from left to
 * right. Equal points are all in it.
 */
export function paretoFront<TItem>(
  points: readonly Placed<TItem>[],
  x: Axis,
  y: Axis,
): readonly Placed<TItem>[] {
  const [goodX, goodY] = [x, y].map(({ better }) => (better === "higher" ? 1 : -1));
  const [signX, signY] = [goodX ?? 1, goodY ?? 1];
  const bestFirst = points.toSorted(
    (left, right) => signX * (right.x - left.x) || signY * (right.y - left.y),
  );
  const front: Placed<TItem>[] = [];
  for (const point of bestFirst) {
    const last = front.at(-1);
    const isEqual = last?.x === point.x && last.y === point.y;
    if (last === undefined || isEqual || signY * (point.y - last.y) > 0) front.push(point);
  }
  return front.toSorted((left, right) => left.x - right.x);
}
