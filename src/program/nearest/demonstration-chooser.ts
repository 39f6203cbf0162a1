import type { Demonstration, JsonObject, NearestDemonstrations } from "../../contract/index.ts";
import { cosineOfWords, wordVectors } from "../../internal/index.ts";
import { inputsText, readVector } from "./nearest-demonstrations.ts";

/**
 * Chooses demonstrations of a pool for inputs, in the order in which a prompt shows them: the
 * nearest last.
 *
 * @param vector of the inputs; needed if the pool has vectors
 */
export type DemonstrationChooser = (
  inputs: JsonObject,
  options: {
    readonly mayShow: (demonstration: Demonstration) => boolean;
    readonly vector: Float32Array | null;
  },
) => readonly Demonstration[];

/** Both arguments must have been checked. */
export function demonstrationChooser(
  pool: readonly Demonstration[],
  { k, by }: NearestDemonstrations,
): DemonstrationChooser {
  const nearness = by === "words" ? nearnessByWords(pool) : nearnessByVectors(by);
  return (inputs, { mayShow, vector }) => {
    const near = nearness(inputs, vector);
    return pool
      .map((demonstration, place) => ({ demonstration, place, near: near(place) }))
      .filter(({ demonstration }) => mayShow(demonstration))
      .toSorted((one, other) => other.near - one.near || one.place - other.place)
      .slice(0, k)
      .toReversed()
      .map(({ demonstration }) => demonstration);
  };
}

/** How near each place of the pool is to some inputs. */
type Nearness = (inputs: JsonObject, vector: Float32Array | null) => (place: number) => number;

function nearnessByWords(pool: readonly Demonstration[]): Nearness {
  const texts = pool.map(({ inputs }) => inputsText(inputs));
  const vectorOf = wordVectors(texts);
  const vectors = texts.map(vectorOf);
  return (inputs) => {
    const asked = vectorOf(inputsText(inputs));
    return (place) => cosineOfWords(asked, vectors[place] ?? new Map());
  };
}

function nearnessByVectors({
  dimension,
  vectors,
}: Exclude<NearestDemonstrations["by"], "words">): Nearness {
  const held = vectors.map((text) => unit(readVector(text, dimension) ?? new Float32Array()));
  return (_, vector) => {
    const asked = unit(vector ?? new Float32Array());
    return (place) => innerProduct(asked, held[place] ?? asked);
  };
}

/** Of length 1, in double precision; a vector of zeros stays, and is near to nothing. */
function unit(vector: Float32Array): Float64Array {
  const exact = Float64Array.from(vector);
  const length = Math.sqrt(innerProduct(exact, exact));
  return length === 0 ? exact : exact.map((value) => value / length);
}

function innerProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place++) {
    sum += (one[place] as number) * (other[place] as number);
  }
  return sum;
}
