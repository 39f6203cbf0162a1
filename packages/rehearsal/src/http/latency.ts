import { randomSource } from "../../../../src/internal/index.ts";

/** Milliseconds: the same for every call, or drawn uniformly from a range. */
export type Latency = number | { readonly least: number; readonly most: number };

/** Latency of the call with this index; depends only on seed and index. */
export function latencyOf(latency: Latency, seed: number, index: number): number {
  if (typeof latency === "number") return latency;
  const drawn = randomSource(seed, "rehearsal-latency", index).random();
  return latency.least + drawn * (latency.most - latency.least);
}
