import type { Component } from "../../contract/index.ts";

/** Short names for components, by content. */
export function componentNames(): (component: Component) => string {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Component, string>();
  return (component) => {
    const before = known.get(component);
    if (before !== undefined) return before;
    const { kind, path, value } = component;
    const content = `${kind}:${path}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    const number = numbers.get(content) ?? numbers.size;
    numbers.set(content, number);
    const name = number.toString(36);
    known.set(component, name);
    return name;
  };
}
