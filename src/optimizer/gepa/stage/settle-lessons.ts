import type { Rollout } from "../../evaluation/index.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { ActingObservation } from "../state/acting-estimate.ts";
import { afterObserving, chanceOfActing, placeToObserve } from "../state/acting-estimate.ts";
import type { Acceptance } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import type { Child } from "./reflect.ts";

/**
 * Decides which of the lessons shown an accepted child has acted on: by its own rollouts where it
 * has some, else by what the run has found out about the reflection LM. While that is in doubt, one
 * lesson more is run to find out, if the budget has room.
 */
export async function settleLessons(
  child: Child,
  known: readonly Rollout[],
  state: SearchState,
  tools: Tools,
): Promise<Pick<Acceptance, "acted" | "onTrain" | "observed">> {
  const { changed: components, exampleIds, isOwn } = child;
  let onTrain = known;
  let observed = observationsOf(child, onTrain, tools);
  let estimate = observed.reduce(afterObserving, state.acting);
  const seen = new Set(onTrain.map(({ exampleId }) => exampleId));
  const others = exampleIds.flatMap((id, place) => (place === 0 || seen.has(id) ? [] : [place]));
  const doubtful = isOwn ? null : placeToObserve(estimate, others);
  if (doubtful !== null && tools.run.fits({ rollouts: 1, reflectionCalls: 0 })) {
    onTrain = [...onTrain, ...(await runOn(child, [exampleIds[doubtful] ?? ""], state, tools))];
    observed = observationsOf(child, onTrain, tools);
    estimate = observed.reduce(afterObserving, state.acting);
  }
  const acted = exampleIds.filter(
    (_, place) => place === 0 || chanceOfActing(estimate, place) > 0.5,
  );
  return { acted: { exampleIds: acted, components }, onTrain, observed };
}

/** What a child's own rollouts show about the lessons after the first. */
function observationsOf(
  { changed, rollouts }: Child,
  onTrain: readonly Rollout[],
  { evidence: { lessons } }: Tools,
): readonly ActingObservation[] {
  const own = new Map(onTrain.map((rollout) => [rollout.exampleId, rollout]));
  return rollouts.flatMap((before, place) => {
    const after = own.get(before.exampleId);
    if (place === 0 || after === undefined || after.score.kind !== "scored") return [];
    const isHigher = before.score.kind !== "scored" || after.score.value > before.score.value;
    const isMet = changed.some((component) => {
      const saidOf = lessons.saidOf(predictorOf(component));
      const said = saidOf(before);
      // A score may be higher by chance, or for another lesson.
      return said === "" ? isHigher : said !== null && saidOf(after) !== said;
    });
    return [{ place, isMet }];
  });
}

async function runOn(
  { components }: Child,
  exampleIds: readonly string[],
  { iteration }: SearchState,
  { evidence }: Tools,
): Promise<readonly Rollout[]> {
  const [evaluation] = await evidence.evaluate(iteration, [
    { candidate: "proposed", components, split: "train", exampleIds },
  ]);
  return evaluation?.rollouts ?? [];
}
