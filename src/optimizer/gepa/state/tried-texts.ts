import type { Candidate, Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import { componentNames } from "../../candidate/component-names.ts";
import { componentText } from "../../candidate/component-text.ts";
import { plainText } from "../../proposal/text/plain-text.ts";

/** Texts of components that need no further trial. They ignore whitespace. */
export interface TriedTexts {
  has(component: Component, text: string): boolean;
  /** Whether it needs none beside the other texts of this candidate. */
  hasBeside(component: Component, text: string, candidate: Candidate): boolean;
  /**
   * Adds a trial of this candidate's text. A text has been tried after a trial that decides, such
   * as on val with nothing else changed, or after three others: a few examples, or a change beside
   * it, may have hidden what it is worth.
   */
  add(component: Component, candidate: Candidate, isDecided: boolean): void;
}

/** Trials that do not decide, after which a text has been tried all the same. */
const mostTrials = 3;

interface Trials {
  count: number;
  readonly beside: Map<string, number>;
}

export function triedTexts(): TriedTexts {
  const trials = new Map<string, Map<string, Trials>>();
  const nameOf = componentNames();
  /** The other components of a candidate. */
  const besideOf = (component: Component, candidate: Candidate): string => {
    const id = componentId(component);
    return candidate
      .filter((one) => componentId(one) !== id)
      .map(nameOf)
      .join(",");
  };
  const of = (component: Component, text: string): Trials | undefined =>
    trials.get(componentId(component))?.get(plainText(text));
  return {
    has: (component, text) => (of(component, text)?.count ?? 0) >= mostTrials,
    hasBeside: (component, text, candidate) =>
      (of(component, text)?.beside.get(besideOf(component, candidate)) ?? 0) >= mostTrials,
    add: (component, candidate, isDecided) => {
      const id = componentId(component);
      const ofComponent = trials.get(id) ?? new Map<string, Trials>();
      trials.set(id, ofComponent);
      const text = plainText(componentText(component));
      const known = ofComponent.get(text) ?? { count: 0, beside: new Map<string, number>() };
      ofComponent.set(text, known);
      const beside = besideOf(component, candidate);
      const weight = isDecided ? mostTrials : 1;
      known.count += weight;
      known.beside.set(beside, (known.beside.get(beside) ?? 0) + weight);
    },
  };
}
