import type { StepEvaluation } from "../../evaluation/index.ts";
import { seedSelection } from "../../evaluation/index.ts";
import type { Decision } from "../state/decision.ts";
import type { Tools } from "../state/tools.ts";

/** Evaluates the seed on val. */
export async function evaluateSeed({ space, evidence }: Tools): Promise<readonly Decision[]> {
  const { components } = space;
  const [first] = await evidence.evaluate(0, [
    { candidate: 0, components, split: "val", exampleIds: space.val },
  ]);
  return [
    {
      kind: "accepted",
      by: "seed",
      candidate: {
        components,
        parents: [],
        changed: [],
        learntFrom: [],
        selection: seedSelection(first as StepEvaluation),
        acceptance: { by: "seed", detail: "What the search started from." },
        metricCallsBefore: 0,
      },
      acted: { exampleIds: [], components: [] },
      onTrain: [],
    },
  ];
}
