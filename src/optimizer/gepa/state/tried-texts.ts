import type { Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import { componentText } from "../../candidate/component-text.ts";
import { plainText } from "../text/plain-text.ts";

/** Texts of components that need no further trial. */
export interface TriedTexts {
  /** Ignores whitespace. */
  has(component: Component, text: string): boolean;
  /**
   * After a trial that decides, such as on val with nothing else changed, or after three others: a
   * few examples, or a change beside it, may have hidden what a text is worth.
   */
  add(component: Component, isDecided: boolean): void;
}

/** Trials that do not decide, after which a text has been tried all the same. */
const mostTrials = 3;

export function triedTexts(): TriedTexts {
  const trials = new Map<string, Map<string, number>>();
  return {
    has: (component, text) =>
      (trials.get(componentId(component))?.get(plainText(text)) ?? 0) >= mostTrials,
    add: (component, isDecided) => {
      const id = componentId(component);
      const ofComponent = trials.get(id) ?? new Map<string, number>();
      const text = plainText(componentText(component));
      const count = isDecided ? mostTrials : (ofComponent.get(text) ?? 0) + 1;
      trials.set(id, ofComponent.set(text, count));
    },
  };
}
