import { checkShare } from "../../../internal/index.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import type { ComponentSelection } from "../strategy/strategy.ts";
import { roundRobin } from "./round-robin.ts";

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
