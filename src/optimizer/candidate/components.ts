import type { Component } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";

/**
 * The predictor that a component belongs to. An instruction's path is the predictor's name,
 * whatever characters it contains; the path of a description of a field or a tool appends that:
 * `answer.question`.
 */
export function predictorOf({ kind, path }: Pick<Component, "kind" | "path">): string {
  if (kind !== "fieldDescription" && kind !== "toolDescription") return path;
  const end = path.indexOf(".");
  return end < 0 ? path : path.slice(0, end);
}

/**
 * Number of predictors that have components: about the LM calls of one rollout. Parameters belong
 * to no predictor.
 */
export function predictorCount(components: readonly Component[]): number {
  return new Set(components.filter(({ kind }) => kind !== "parameter").map(predictorOf)).size;
}

/** Ids of components, without parameters, whose predictor ran in no rollout. */
export function neverInvoked(
  components: readonly Component[],
  wasInvoked: (predictor: string) => boolean,
): readonly string[] {
  return components
    .filter((component) => component.kind !== "parameter" && !wasInvoked(predictorOf(component)))
    .map(componentId);
}

/** A component's value as text: a string as it is, any other value as JSON. */
export function componentText({ value }: Component): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

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
