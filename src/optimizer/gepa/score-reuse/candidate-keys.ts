import type { Candidate, Component } from "../../../contract/index.ts";
import { componentNames } from "../../candidate/component-names.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";

/** A named set of predictors that ran. */
export interface TraceName {
  readonly name: string;
  /** `null` means all. */
  readonly ran: readonly string[] | null;
}

/** Returns a key that identifies a candidate's values in the components of the given predictors. */
export function candidateKeys(): (candidate: Candidate, trace: TraceName) => string {
  const nameOf = componentNames();
  const keys = new WeakMap<Candidate, Map<string, string>>();
  return (candidate, { name, ran }) => {
    let ofCandidate = keys.get(candidate);
    if (ofCandidate === undefined) keys.set(candidate, (ofCandidate = new Map()));
    const known = ofCandidate.get(name);
    if (known !== undefined) return known;
    const key = candidate
      .filter((component) => ran === null || runsWith(component, ran))
      .map(nameOf)
      .join(",");
    ofCandidate.set(name, key);
    return key;
  };
}

/** Whether a component can have affected a trace that ran these predictors. */
function runsWith(component: Component, ran: readonly string[]): boolean {
  return component.kind === "parameter" || ran.includes(predictorOf(component));
}
