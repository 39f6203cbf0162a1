import type { ComponentSelection } from "../../../src/optimizer/gepa/strategy/strategy.ts";

/** Every component that ran on the minibatch, at once. */
export function allComponents(): ComponentSelection {
  return {
    name: "all",
    select: (_, { components, pointer, isInvoked }) => ({
      components: components.filter(isInvoked),
      pointer,
    }),
  };
}
