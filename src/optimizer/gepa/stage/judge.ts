import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { StepEvaluation, Rollout } from "../../evaluation/index.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { GatedChild } from "./gate.ts";
import type { Child } from "./reflect.ts";
import { droppedChild, rejectedChild } from "./rejected-child.ts";
import type { ValidatedChild } from "./validate.ts";
import { validate } from "./validate.ts";
import type { ActingObservation } from "../state/acting-estimate.ts";
import { afterObserving, chanceOfActing, placeToObserve } from "../state/acting-estimate.ts";
import type { Decision, Stage, Acceptance } from "../state/decision.ts";
import { withEstimate } from "../state/estimates.ts";
import type { Search, SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { doubtAbout, gainText } from "../strategy/acceptance.ts";
import { scorePairs, valuedPairs } from "../strategy/score-pairs.ts";
import type { ScorePairs } from "../strategy/strategy.ts";

/**
 * Evaluates children on val and decides which become candidates: side by side or, in a wide search,
 * in order of their gain until one is accepted.
 */
export async function* judgeChildren(
  children: readonly GatedChild[],
  search: Search,
  tools: Tools,
): Stage {
  const isWide = tools.settings.proposals.isWide === true;
  const inOrder = isWide
    ? children.toSorted((one, other) => other.gain - one.gain).map((one) => [one])
    : [children];
  for (const together of inOrder) {
    if (isWide && search.state.accepted.length > 0) {
      const detail = "Another proposal of this iteration was accepted first.";
      yield together.flatMap(({ child }) => droppedChild(child, detail));
      continue;
    }
    const validated = await validate(together, search.state, tools);
    yield validated.decisions;
    for (const child of validated.children) yield await judge(child, search.state, tools);
  }
}

/** Decides from its scores on val whether a child becomes a candidate. */
async function judge(
  { gated, stopped, onVal, shareOfVal, metricCallsBefore }: ValidatedChild,
  state: SearchState,
  tools: Tools,
): Promise<readonly Decision[]> {
  const { settings, run, space } = tools;
  const { child, gate } = gated;
  const judged: Decision = { kind: "child-judged", isAccepted: false, shareOfVal };
  // It may have been run on more of val since the child was written.
  const parent = state.candidates[child.parent.id] as CandidateRecord;
  const { panel } = state;
  if (stopped?.reason === "not-selected") return droppedChild(child, stopped.detail);
  const evaluation = onVal();
  const pairs = valuedPairs(run, { panel, parent: parent.selection, child: evaluation });
  if (stopped !== null) {
    return [judged, ...rejectedChild(child, stopped.reason, stopped.detail, pairs)];
  }
  const { components, changed, exampleIds } = child;
  const own = selectionOf(evaluation);
  if (own === null) {
    return rejectedChild(child, "low-coverage", "Faults left too little of val to judge.");
  }
  const selection = withEstimate(own, parent, { panel, val: space.val.length });
  let onTrain = gated.onTrain?.rollouts ?? [];
  const doubt =
    child.caveats.length === 0
      ? null
      : doubtAbout(pairs, () => run.random("gepa/caveat", state.iteration));
  if (doubt !== null) {
    const detail = [doubt, ...child.caveats].join(" ");
    return [judged, ...rejectedChild(child, "not-better-on-val", detail)];
  }
  const verdict = await settings.valAcceptance.judge(pairs, async () => {
    const addressed = await onAddressed(child, state, tools);
    onTrain = [...new Set([...onTrain, ...(addressed?.onTrain.rollouts ?? [])])];
    return addressed;
  });
  if (!verdict.accepts) {
    return [judged, ...rejectedChild(child, "not-better-on-val", verdict.reason, pairs)];
  }
  return [
    { kind: "child-judged", isAccepted: true },
    {
      kind: "accepted",
      by: "reflection",
      candidate: {
        components,
        parents: [parent.id],
        changed: changed.map(componentId),
        learntFrom: [...exampleIds],
        ...(gate && { gate }),
        selection,
        acceptance: { by: settings.valAcceptance.name, detail: verdict.reason ?? gainText(pairs) },
        metricCallsBefore,
      },
      supersedes: verdict.supersedes === true,
      ...(await settleLessons(child, onTrain, state, tools)),
    },
  ];
}

/** Runs parent and child on the example that the child addresses; `null` if that does not fit. */
async function onAddressed(
  { parent, components, exampleIds: learntFrom }: Child,
  { iteration }: SearchState,
  { run, evidence }: Tools,
): Promise<(ScorePairs & { readonly onTrain: StepEvaluation }) | null> {
  const exampleIds = learntFrom.slice(0, 1);
  if (!run.fits({ rollouts: 2 * exampleIds.length, reflectionCalls: 0 })) return null;
  const [before, after] = await evidence.evaluate(iteration, [
    { candidate: parent.id, components: parent.components, split: "train", exampleIds },
    { candidate: "proposed", components, split: "train", exampleIds },
  ]);
  if (before === undefined || after === undefined) return null;
  return { ...scorePairs(before.scores, after.scores), onTrain: after };
}

/**
 * Decides which of the lessons shown an accepted child has acted on: by its own rollouts where it
 * has some, else by what the run has found out about the reflection LM. While that is in doubt, one
 * lesson more is run to find out, if the budget has room.
 */
async function settleLessons(
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
  const others = exampleIds.flatMap((id, index) => (index === 0 || seen.has(id) ? [] : [index]));
  const doubtful = isOwn ? null : placeToObserve(estimate, others);
  if (doubtful !== null && tools.run.fits({ rollouts: 1, reflectionCalls: 0 })) {
    onTrain = [
      ...onTrain,
      ...(await runOnTrain(child, [exampleIds[doubtful] ?? ""], state, tools)),
    ];
    observed = observationsOf(child, onTrain, tools);
    estimate = observed.reduce(afterObserving, state.acting);
  }
  const acted = exampleIds.filter(
    (_, index) => index === 0 || chanceOfActing(estimate, index) > 0.5,
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
  return rollouts.flatMap((before, index) => {
    const after = own.get(before.exampleId);
    if (index === 0 || after === undefined || after.score.kind !== "scored") return [];
    const isHigher = before.score.kind !== "scored" || after.score.value > before.score.value;
    const isMet = changed.some((component) => {
      const saidOf = lessons.saidOf(predictorOf(component));
      const said = saidOf(before);
      // A score may be higher by chance, or for another lesson.
      return said === "" ? isHigher : said !== null && saidOf(after) !== said;
    });
    return [{ index, isMet }];
  });
}

/** What a child does on train. */
async function runOnTrain(
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
