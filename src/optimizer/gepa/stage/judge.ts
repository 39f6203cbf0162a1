import { componentId } from "../../../internal/index.ts";
import { sum } from "../../../statistics/index.ts";
import { maxFitting } from "../../budget/index.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import type { GatedChild } from "./gate.ts";
import type { Child } from "./reflect.ts";
import { dropChild, rejectChild } from "./reflect.ts";
import type { Search } from "../state/search.ts";
import { doubtAbout, gainText } from "../strategy/acceptance.ts";
import { scorePairs, valuedPairs } from "../strategy/score-pairs.ts";
import type { ScorePairs } from "../strategy/strategy.ts";

/** A child that was run on val. */
interface ValidatedChild {
  readonly gated: GatedChild;
  /** `null`: the budget had no room for it. */
  readonly onVal: StepEvaluation | null;
  /** Metric calls spent before it, as if children were evaluated one after the other. */
  readonly metricCallsBefore: number;
}

/** Evaluates children on val, side by side, and decides which become candidates. */
export async function judgeChildren(
  children: readonly GatedChild[],
  search: Search,
): Promise<void> {
  for (const validated of await validate(children, search)) await judge(validated, search);
}

async function validate(
  children: readonly GatedChild[],
  search: Search,
): Promise<readonly ValidatedChild[]> {
  const { space, run } = search;
  const missing = children.map(({ child }) => search.missingOnVal(child.components));
  const fitting = maxFitting(children.length, (count) =>
    run.fits({ rollouts: sum(missing.slice(0, count)), reflectionCalls: 0 }),
  );
  const spentBefore = run.spent.metricCalls;
  const evaluations =
    fitting === 0
      ? []
      : await search.evaluate(
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
  search: Search,
): Promise<void> {
  const { settings, run, iteration } = search;
  const acceptance = settings.acceptance.val;
  const { parent, components, changed, exampleIds } = child;
  if (onVal === null) {
    dropChild(search, child, "not-selected", "Its evaluation does not fit the budget.");
    return;
  }
  const pairs = valuedPairs(run, parent.selection, onVal);
  const selection = search.selectionOf(onVal);
  if (selection === null) {
    rejectChild(search, child, "low-coverage", "Faults left too little of val to judge.");
    return;
  }
  const doubt =
    child.caveats.length === 0
      ? null
      : doubtAbout(pairs, () => run.random("gepa/caveat", iteration));
  if (doubt !== null) {
    rejectChild(search, child, "not-better-on-val", [doubt, ...child.caveats].join(" "));
    return;
  }
  let onTrain = onMinibatch?.rollouts ?? [];
  const verdict = await acceptance.judge(pairs, async () => {
    const addressed = await onAddressed(child, search);
    onTrain = [...new Set([...onTrain, ...(addressed?.onTrain.rollouts ?? [])])];
    return addressed;
  });
  if (!verdict.accepts) {
    rejectChild(search, child, "not-better-on-val", verdict.reason);
    return;
  }
  search.accept(
    {
      components,
      parents: [parent.id],
      changed: changed.map(componentId),
      learntFrom: [...exampleIds],
      ...(gate && { gate }),
      selection,
      acceptance: { by: acceptance.name, detail: verdict.reason ?? gainText(pairs) },
      metricCallsBefore,
    },
    {
      supersedes: verdict.supersedes === true,
      // It addresses the first lesson; whether it heeds the others, later runs show.
      actedOn: { exampleIds: exampleIds.slice(0, 1), components: changed },
      onTrain,
    },
  );
}

/** Runs parent and child on the example that the child addresses; `null` if that does not fit. */
async function onAddressed(
  { parent, components, exampleIds: learntFrom }: Child,
  search: Search,
): Promise<(ScorePairs & { readonly onTrain: StepEvaluation }) | null> {
  const exampleIds = learntFrom.slice(0, 1);
  if (!search.run.fits({ rollouts: 2 * exampleIds.length, reflectionCalls: 0 })) return null;
  const [before, after] = await search.evaluate([
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
export async function confirmBest(search: Search): Promise<void> {
  const { run, space, evidence } = search;
  if (!evidence.isReuseWrong || search.isReuseOver) return;
  search.isReuseOver = true;
  for (let count = 0; count < maxConfirmed; count++) {
    const { best } = search;
    const missing = search.missingOnVal(best.components);
    if (missing === 0 || !run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const [evaluation] = await search.evaluate([
      { candidate: best.id, components: best.components, split: "val", exampleIds: space.val },
    ]);
    const selection = search.selectionOf(evaluation as StepEvaluation);
    if (selection === null) break;
    search.confirm(best, selection);
  }
  search.chooseBest(
    search.candidates.filter(({ components }) => search.missingOnVal(components) === 0),
  );
}
