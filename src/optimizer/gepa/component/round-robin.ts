import type { ComponentSelection } from "../strategy/strategy.ts";

/**
 * Cycles through the components along a lineage.
 *
 * `onlyInvoked` (default true) skips components that did not run on the minibatch, since reflection
 * would see nothing of them; gepa 0.1.4 drops the proposal instead.
 */
export function roundRobin({
  onlyInvoked = true,
}: { readonly onlyInvoked?: boolean } = {}): ComponentSelection {
  return {
    name: "round-robin",
    settings: { onlyInvoked },
    costs: () => ({ texts: 1 }),
    select: (_, { components, pointer, isInvoked }) => {
      for (const step of components.keys()) {
        const place = (pointer + step) % components.length;
        const component = components[place];
        if (component === undefined || (onlyInvoked && !isInvoked(component))) continue;
        return { components: [component], pointer: (place + 1) % components.length };
      }
      return { components: [], pointer };
    },
  };
}
