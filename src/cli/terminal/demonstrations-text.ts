import type { Component, NearestDemonstrations } from "../../contract/index.ts";
import { withImageStandIns } from "../../internal/index.ts";

/** The line that tells of a predictor's demonstrations; none if it has none. */
export function demonstrationsText(
  count: number,
  nearest: NearestDemonstrations | null | undefined,
): readonly string[] {
  if (count === 0) return [];
  const all = `  ${count} demonstrations`;
  return [nearest ? `${all}, of which prompts show ${nearestText(nearest)}` : all];
}

/** A component's value as it is compared: a text as it is, anything else as JSON. */
export function comparedText(component: Component | undefined): string {
  if (component === undefined) return "null";
  const { value } = component;
  const text = typeof value === "string" ? value : JSON.stringify(withImageStandIns(value));
  const nearest = component.kind === "demos" ? component.nearest : undefined;
  return nearest ? `${nearestText(nearest)} of ${text}` : text;
}

function nearestText({ k, by }: NearestDemonstrations): string {
  return `the ${k} nearest by ${by === "words" ? by : `the vectors of ${by.embedder.model}`}`;
}
