import { predictorOf } from "../../candidate/components.ts";
import type { ComponentSelection } from "./strategy.ts";

/** Of the runs of the component in turn, the share in which others must have run. */
const minShare = 0.5;

/**
 * Selects the component whose turn it is, plus those that ran in more than half of the same runs.
 * If steps always run together, a change of one alone reuses no scores, so an evaluation costs the
 * same for a change of one as for a change of all.
 */
export function jointComponents(): ComponentSelection {
  const inTurn = roundRobin();
  return {
    name: "joint",
    select: (view, request) => {
      const turn = inTurn.select(view, request);
      const [first] = turn.components;
      if (first === undefined) return turn;
      const runs = request.rollouts.filter(({ ran }) => ran.includes(predictorOf(first)));
      const together = request.components.filter((component) => {
        if (component === first) return false;
        const predictor = predictorOf(component);
        const shared = runs.filter(({ ran }) => ran.includes(predictor));
        return shared.length > minShare * runs.length && request.isInvoked(component);
      });
      return { ...turn, components: [first, ...together] };
    },
  };
}

/**
 * Cycles through the components along a lineage. It passes over those that did not run on the
 * minibatch, since reflection would see nothing of them; gepa 0.1.4 drops the proposal instead.
 */
export function roundRobin(): ComponentSelection {
  return {
    name: "round-robin",
    maxTexts: 1,
    select: (_, { components, pointer, isInvoked }) => {
      for (const step of components.keys()) {
        const index = (pointer + step) % components.length;
        const component = components[index];
        if (component === undefined || !isInvoked(component)) continue;
        return { components: [component], pointer: (index + 1) % components.length };
      }
      return { components: [], pointer };
    },
  };
}
