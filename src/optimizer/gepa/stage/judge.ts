import { componentId } from "../../../internal/index.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import type { GatedChild } from "./gate.ts";
import type { Child } from "./reflect.ts";
import { droppedChild, rejectedChild } from "./rejected-child.ts";
import type { Decision, Stage } from "../state/decision.ts";
import type { SearchState, Search } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { doubtAbout, gainText } from "../strategy/acceptance.ts";
import { scorePairs, valuedPairs } from "../strategy/score-pairs.ts";
import type { ScorePairs } from "../strategy/strategy.ts";
import { sum } from "../../../statistics/index.ts";
import { bestOf } from "../../candidate/candidate-measures.ts";

/** A child that was run on val. */
interface ValidatedChild {
  readonly gated: GatedChild;
  /** `null`: the budget had no room for it. */
  readonly onVal: StepEvaluation | null;
  /** Metric calls spent before it, as if children were evaluated one after the other. */
  readonly metricCallsBefore: number;
}

/** Evaluates children on val, side by side, and decides which become candidates. */
export async function* judgeChildren(
  children: readonly GatedChild[],
  state: SearchState,
  tools: Tools,
): Stage {
  for (const validated of await validate(children, state, tools)) {
    yield await judge(validated, state, tools);
  }
}
async function validate(
  children: readonly GatedChild[],
  { iteration }: SearchState,
  { space, run, evidence }: Tools,
): Promise<readonly ValidatedChild[]> {
  if (children.length === 0) return [];
  const missing = children.map(({ child }) => evidence.missingOn(space.val, child.components));
  let fitting = children.length;
  while (fitting > 0 && !run.fits({ rollouts: sum(missing.slice(0, fitting)), reflectionCalls: 0 }))
    fitting--;
  const spentBefore = run.spent.metricCalls;
  const evaluations =
    fitting === 0
      ? []
      : await evidence.evaluate(
          iteration,
          children.slice(0, fitting).map(({ child: { components } }) => ({
            candidate: "proposed",
            components,
            split: "val",
            exampleIds: space.val,
          })),
        );
  // One child may have reused the other's runs.
  const spentAfter = run.spent.metricCalls;
  return children.map((gated, index) => ({
    gated,
    onVal: evaluations[index] ?? null,
    metricCallsBefore: Math.min(
      spentBefore + sum(missing.slice(0, index)) * run.repetitions,
      spentAfter,
    ),
  }));
}

/** Decides from its scores on val whether a child becomes a candidate. */
async function judge(
  { gated: { child, gate, onTrain: onMinibatch }, onVal, metricCallsBefore }: ValidatedChild,
  state: SearchState,
  tools: Tools,
): Promise<readonly Decision[]> {
  const { settings, run } = tools;
  const { parent, components, changed, exampleIds } = child;
  if (onVal === null) return droppedChild(child, "Its evaluation does not fit the budget.");
  const pairs = valuedPairs(run, parent.selection, onVal);
  const selection = tools.selectionOf(onVal);
  if (selection === null) {
    return rejectedChild(child, "low-coverage", "Faults left too little of val to judge.");
  }
  const doubt =
    child.caveats.length === 0
      ? null
      : doubtAbout(pairs, () => run.random("gepa/caveat", state.iteration));
  if (doubt !== null) {
    return rejectedChild(child, "not-better-on-val", [doubt, ...child.caveats].join(" "));
  }
  let onTrain = onMinibatch?.rollouts ?? [];
  const verdict = await settings.valAcceptance.judge(pairs, async () => {
    const addressed = await onAddressed(child, state, tools);
    onTrain = [...new Set([...onTrain, ...(addressed?.onTrain.rollouts ?? [])])];
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
        ...(gate && { gate }),
        selection,
        acceptance: { by: settings.valAcceptance.name, detail: verdict.reason ?? gainText(pairs) },
        metricCallsBefore,
      },
      supersedes: verdict.supersedes === true,
      // It addresses the first lesson; whether it heeds the others, later runs show.
      actedOn: { exampleIds: exampleIds.slice(0, 1), components: changed },
      onTrain,
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

/** Maximum number of candidates to confirm: each may take a whole evaluation. */
const maxConfirmed = 3;

/**
 * After score reuse was found wrong, candidates' records still hold scores that they reused before.
 * This stage, once, runs the best candidate on the val examples on which it has not been run
 * itself; if another candidate becomes the best, it runs that one as well, and so on. If the limit
 * is reached, the best is the highest candidate with only its own scores; if the budget has no room
 * for a run, the best stays as it is.
 */
export async function* confirmBest(search: Search, tools: Tools): Stage {
  const { run, space, evidence } = tools;
  if (!evidence.isReuseWrong || search.state.isReuseOver) return;
  yield [{ kind: "reuse-ended" }];
  for (let count = 0; count < maxConfirmed; count++) {
    const { best, iteration } = search.state;
    if (best === undefined) return;
    const missing = evidence.missingOn(space.val, best.components);
    if (missing === 0 || !run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const [evaluation] = await evidence.evaluate(iteration, [
      { candidate: best.id, components: best.components, split: "val", exampleIds: space.val },
    ]);
    const selection = tools.selectionOf(evaluation as StepEvaluation);
    if (selection === null) break;
    yield [{ kind: "confirmed", candidate: best, selection }];
  }
  const { candidates, superseding } = search.state;
  const own = candidates.filter(
    ({ components }) => evidence.missingOn(space.val, components) === 0,
  );
  const best = bestOf(own, superseding);
  if (best !== undefined) yield [{ kind: "best-replaced", best }];
}
