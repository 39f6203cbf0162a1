import { hash } from "node:crypto";

/**
 * The LM seed of one call, an unsigned 32-bit integer: a function of run seed, example, call path
 * and repetition, but not of the candidate, so that candidates are compared under the same seeds.
 */
export function callSeed(run: number, exampleId: string, path: string, repetition: number): number {
  const key = `${run}\n${repetition}\n${path}\n${exampleId}`;
  return Number.parseInt(hash("sha256", key).slice(0, 8), 16);
}
