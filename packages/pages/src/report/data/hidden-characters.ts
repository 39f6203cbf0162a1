import type { ComponentChild, ComponentChildren, VNode } from "preact";
import { options } from "preact";
import { visibleText } from "../../../../../src/internal/index.ts";

/**
 * From now on no text of the page hides or reorders characters, whoever wrote it: they are shown as
 * escapes, in texts and in what is read out.
 */
export function showHiddenCharacters(): void {
  const then = options.vnode?.bind(options);
  options.vnode = (node) => {
    if (typeof node.type === "string") makeVisible(node);
    then?.(node);
  };
}

function makeVisible({ props }: VNode): void {
  const held: { children?: ComponentChildren; "aria-label"?: unknown } = props;
  if (held.children !== undefined) held.children = visible(held.children);
  const label = held["aria-label"];
  if (typeof label === "string") held["aria-label"] = visibleText(label);
}

function visible(children: ComponentChildren): ComponentChildren {
  return Array.isArray(children) ? children.map(visible) : visibleChild(children);
}

function visibleChild(child: ComponentChild): ComponentChild {
  return typeof child === "string" ? visibleText(child) : child;
}
