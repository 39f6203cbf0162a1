import type { Component } from "../../contract/index.ts";
import { canonicalJson } from "../../internal/index.ts";

/** Components, each once: candidates share most of theirs with their parents. */
export interface ComponentTable {
  readonly components: readonly Component[];
  placeOf(component: Component): number;
}

export function componentTable(): ComponentTable {
  const components: Component[] = [];
  const places = new Map<string, number>();
  const placeOfSame = new Map<Component, number>();
  return {
    components,
    placeOf: (component) => {
      const held = placeOfSame.get(component);
      if (held !== undefined) return held;
      const key = canonicalJson(component);
      const index = places.get(key) ?? components.push(component) - 1;
      places.set(key, index);
      placeOfSame.set(component, index);
      return index;
    },
  };
}
