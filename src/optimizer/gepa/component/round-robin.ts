import type { ComponentSelection } from "../strategy/strategy.ts";

/**
 * One component after the other along a lineage.
 *
 * `onlyInvoked` (default true) passes over components that did not run on the minibatch, of which
 * reflection would see nothing; gepa 0.1.4 drops the proposal then.
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
