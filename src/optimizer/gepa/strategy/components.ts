import { checkShare } from "../../../internal/index.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { ComponentSelection } from "./strategy.ts";

/**
 * Selects the component whose turn it is, plus those that ran in more than `share` of the same
 * runs. If steps always run together, a change of one alone reuses no scores, so an evaluation
 * costs the same for a change of one as for a change of all.
 */
export function jointComponents({
  share = 0.5,
}: { readonly share?: number } = {}): ComponentSelection {
  checkShare("share", share, "jointComponents()");
  const inTurn = roundRobin();
  return {
    name: "joint",
    settings: { share },
    select: (view, request) => {
      const turn = inTurn.select(view, request);
      const [first] = turn.components;
      if (first === undefined) return turn;
      const runs = request.rollouts.filter(({ ran }) => ran.includes(predictorOf(first)));
      const together = request.components.filter((component) => {
        if (component === first) return false;
        const predictor = predictorOf(component);
        const shared = runs.filter(({ ran }) => ran.includes(predictor));
        return shared.length > share * runs.length && request.isInvoked(component);
      });
      return { ...turn, components: [first, ...together] };
    },
  };
}

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
        const index = (pointer + step) % components.length;
        const component = components[index];
        if (component === undefined || (onlyInvoked && !isInvoked(component))) continue;
        return { components: [component], pointer: (index + 1) % components.length };
      }
      return { components: [], pointer };
    },
  };
}
