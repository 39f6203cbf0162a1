import { componentId } from "../../../internal/index.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import { selectionOf } from "../../evaluation/index.ts";
import { gainText } from "../acceptance/val-acceptance.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import type { ScorePairs } from "../strategy/strategy.ts";
import type { Child } from "./reflect.ts";
import { rejectedChild } from "./rejected-child.ts";
import { scorePairs, valuedPairs } from "./score-pairs.ts";
import type { ValidatedChild } from "./validate.ts";

/** Decides from its scores on val whether a child becomes a candidate. */
export async function judge(
  { gated, stopped, onVal, metricCallsBefore }: ValidatedChild,
  state: SearchState,
  tools: Tools,
): Promise<readonly Decision[]> {
  const { settings, run } = tools;
  const { child, gate } = gated;
  if (stopped !== null) return rejectedChild(child, stopped.reason, stopped.detail);
  const { parent, components, changed, exampleIds } = child;
  const evaluation = onVal();
  const selection = selectionOf(evaluation);
  if (selection === null) {
    return rejectedChild(child, "low-coverage", "Faults left too little of val to judge.");
  }
  let { onTrain } = gated;
  const pairs = valuedPairs(run, { split: "val", parent: parent.selection, child: evaluation });
  const verdict = await settings.valAcceptance.judge(pairs, async () => {
    const addressed = await onAddressed(child, state, tools);
    onTrain = addressed?.onTrain ?? onTrain;
    return addressed;
  });
  if (!verdict.accepts) return rejectedChild(child, "not-better-on-val", verdict.reason);
  return [
    {
      kind: "accepted",
      by: "reflection",
      candidate: {
        components,
        parents: [parent.id],
        changed: changed.map(componentId),
        learntFrom: [...exampleIds],
        ...(gate && { gate: { exampleIds: [...exampleIds], ...gate } }),
        selection,
        acceptance: { by: settings.valAcceptance.name, detail: verdict.reason ?? gainText(pairs) },
        metricCallsBefore,
      },
      supersedes: verdict.supersedes === true,
      acted: { exampleIds: exampleIds.slice(0, 1), components: changed },
      onTrain: onTrain?.rollouts ?? [],
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
