import type { DatabaseSync } from "node:sqlite";
import { EspalierError } from "../../errors/index.ts";
import { vectorIn } from "./kept-vectors.ts";
import type { Embedding } from "./embed-passages.ts";

export interface Neighbour {
  /** `number` in the table `passages`. */
  readonly number: number;
  readonly score: number;
}

export interface VectorMatrix {
  /** Number of vectors. */
  readonly size: number;
  /** The `k` vectors with the largest inner products, best first, ties by number. */
  nearest(query: Float32Array, k: number): readonly Neighbour[];
}

/**
 * Reads the vectors of one embedding into one array; with `isNormalised`, each has length 1 or 0.
 */
export function vectorMatrix(
  database: DatabaseSync,
  { number: embedding, dimension, isNormalised }: Embedding & { readonly isNormalised: boolean },
): VectorMatrix {
  const select = database.prepare(
    "SELECT passage, vector FROM vectors WHERE embedding = ? ORDER BY passage",
  );
  const count = database.prepare("SELECT count(*) AS size FROM vectors WHERE embedding = ?");
  const size = Number(count.get(embedding)?.["size"]);
  const values = new Float32Array(size * dimension);
  const numbers = new Int32Array(size);
  let row = 0;
  for (const { passage, vector } of select.iterate(embedding)) {
    const held = vectorIn(vector);
    if (held?.length !== dimension) throw unusableVector(passage, dimension);
    values.set(isNormalised ? normalised(held) : held, row * dimension);
    numbers[row] = Number(passage);
    row++;
  }
  return {
    size,
    nearest: (given, k) => {
      const query = isNormalised ? normalised(given) : given;
      const best: Neighbour[] = [];
      let floor = Number.NEGATIVE_INFINITY;
      for (let row = 0; row < size; row++) {
        const score = innerProduct(values, row * dimension, query);
        if (score <= floor && best.length >= k) continue;
        insert(best, { number: numbers[row] ?? 0, score });
        if (best.length > k) best.pop();
        if (best.length === k) floor = best.at(-1)?.score ?? floor;
      }
      return best;
    },
  };
}

function unusableVector(passage: unknown, dimension: number): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The index holds a vector that no build of it wrote",
    expected: `${dimension} numbers`,
    where: `passage number ${String(passage)}`,
    fix: "Remove the index and build it again.",
  });
}

function innerProduct(values: Float32Array, start: number, query: Float32Array): number {
  let sum = 0;
  // Within both arrays, so neither is `undefined`; a check in each step would take half of the
  // time.
  for (let place = 0; place < query.length; place++) {
    sum += (values[start + place] as number) * (query[place] as number);
  }
  return sum;
}

/** Inserts behind equal scores, so that ties stay in the order of numbers. */
function insert(best: Neighbour[], found: Neighbour): void {
  let place = best.length;
  while (place > 0 && (best[place - 1]?.score ?? 0) < found.score) place--;
  best.splice(place, 0, found);
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
