import type { StepEvaluation } from "../../evaluation/index.ts";
import { seedSelection } from "../../evaluation/index.ts";
import type { Stage } from "../state/decision.ts";
import type { Tools } from "../state/tools.ts";

/** Evaluates the seed on val. */
export async function* evaluateSeed({ space, run, settings, evidence }: Tools): Stage {
  const { components } = space;
  const { validation, perfectScore } = settings;
  const [first] = await evidence.evaluate(0, [
    { candidate: 0, components, split: "val", exampleIds: space.val },
  ]);
  const evaluation = first as StepEvaluation;
  const selection = seedSelection(evaluation);
  const panel =
    (evaluation.isMean || undefined) &&
    validation.panel?.(selection.scores, perfectScore, run.random("gepa/panel", 0));
  yield [
    { kind: "panel-drawn", panel: panel ?? { exampleIds: space.val } },
    {
      kind: "accepted",
      by: "seed",
      candidate: {
        components,
        parents: [],
        changed: [],
        learntFrom: [],
        selection,
        acceptance: { by: "seed", detail: "What the search started from." },
        metricCallsBefore: 0,
      },
      acted: { exampleIds: [], components: [] },
      onTrain: [],
      observed: [],
    },
  ];
}
