import type { Component } from "../../../../../src/contract/index.ts";
import type { ComparedCandidate, ComparedSource } from "../../../../../src/report/index.ts";

/** The parts of a candidate of a source. */
export function partsOf(
  source: ComparedSource | undefined,
  candidate: ComparedCandidate | undefined,
): readonly Component[] {
  return (candidate?.components ?? []).flatMap((position) => source?.components[position] ?? []);
}

/** A text as it is; anything else as JSON, a line for each field. */
export function partText(component: Component | undefined): string {
  if (component === undefined) return "";
  const { value } = component;
  if (component.kind !== "demos" || !component.nearest) {
    return typeof value === "string" ? value : JSON.stringify(value, null, 1);
  }
  const { k, by } = component.nearest;
  const how = by === "words" ? by : `the vectors of ${by.embedder.model}`;
  return `the ${k} nearest by ${how} of ${JSON.stringify(value, null, 1)}`;
}
