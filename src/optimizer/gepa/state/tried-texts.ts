import type { Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import { componentText } from "../../candidate/component-text.ts";
import { plainText } from "../text/plain-text.ts";

/** Texts of components in candidates on which rollouts were, or will be, spent. */
export interface TriedTexts {
  /** Ignores whitespace. */
  has(component: Component, text: string): boolean;
  add(component: Component): void;
}

export function triedTexts(): TriedTexts {
  const byComponent = new Map<string, Set<string>>();
  return {
    has: (component, text) =>
      byComponent.get(componentId(component))?.has(plainText(text)) === true,
    add: (component) => {
      const id = componentId(component);
      const texts = byComponent.get(id) ?? new Set();
      byComponent.set(id, texts.add(plainText(componentText(component))));
    },
  };
}
