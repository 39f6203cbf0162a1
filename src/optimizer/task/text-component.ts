import type { Component } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { componentId } from "../../internal/index.ts";
import type { SearchSpace } from "./search-space.ts";

/** A component whose value is a text. */
export type TextComponent = Extract<Component, { readonly value: string }> & {
  readonly kind: "instruction" | "fieldDescription" | "toolDescription";
};

const kinds: readonly string[] = ["instruction", "fieldDescription", "toolDescription"];

export function isText(component: Component): component is TextComponent {
  return kinds.includes(component.kind);
}

/** The space's texts selected by a list of kinds and ids, in the space's order. */
export function textComponents(
  space: SearchSpace,
  selectors: readonly string[],
): readonly TextComponent[] {
  const texts = space.components.filter(isText);
  const matches = (selector: string) => (component: TextComponent) =>
    selector === component.kind || selector === componentId(component);
  const unknown = selectors.find((selector) => !texts.some(matches(selector)));
  if (unknown === undefined && selectors.length > 0) {
    return texts.filter((component) => selectors.some((selector) => matches(selector)(component)));
  }
  throw new EspalierError({
    code: "component-unknown",
    problem: `gepa() ${unknown === undefined ? "has no component to evolve" : `cannot evolve \`${unknown}\``} in \`${space.name}\``,
    expected: [...kinds, ...texts.map(componentId)].join(", "),
  });
}
