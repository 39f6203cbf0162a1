import type { Lessons } from "../lesson/lessons.ts";
import type { MinibatchChoice, MinibatchSampling } from "../strategy/strategy.ts";

/** A strategy's choices, with the forgiveness that they count on carried out at once. */
export function minibatchChoice(
  sampling: MinibatchSampling,
  lessons: Pick<Lessons, "forgive">,
): MinibatchChoice {
  return {
    next: (view, parent, place) => {
      const chosen = sampling.next(view, parent, place);
      if (chosen?.kind !== "forgive") return chosen;
      lessons.forgive();
      return chosen.minibatch;
    },
  };
}
