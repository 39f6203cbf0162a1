import type { ExperimentFigure } from "espalier";
import type { ConversationalLabels } from "../../../trainsets/conversational.ts";

/**
 * How far a gate keeps to the gold label, as AILS-NTUA measures it (tables 6 and 38): the share of
 * answerable turns that it lets be answered, the share of unanswerable ones that it refuses, and
 * the F1 of its refusals over both. Turns with another label count in none.
 */
export const answerabilityFigures: readonly ExperimentFigure[] = [
  figure("answerable_recall", ({ label, refused }) =>
    label === "ANSWERABLE" ? Number(!refused) : null,
  ),
  figure("unanswerable_recall", ({ label, refused }) =>
    label === "UNANSWERABLE" ? Number(refused) : null,
  ),
  {
    // An answerable turn that is answered counts too, or rows could not be compared in pairs.
    ...figure("unanswerable_f1", ({ label, refused }) => {
      const isUnanswerable = label === "UNANSWERABLE";
      if (!isUnanswerable && label !== "ANSWERABLE") return null;
      if (refused !== isUnanswerable) return cells.wrong;
      return refused ? cells.rightlyRefused : cells.rightlyAnswered;
    }),
    aggregate: (values) => {
      const hits = values.filter((value) => value === cells.rightlyRefused).length;
      const errors = values.filter((value) => value === cells.wrong).length;
      return hits === 0 ? 0 : (2 * hits) / (2 * hits + errors);
    },
  },
];

const cells = { rightlyRefused: 1, rightlyAnswered: 0, wrong: -1 } as const;

function figure(
  name: string,
  of: (turn: {
    readonly label: ConversationalLabels["answerability"];
    readonly refused: boolean;
  }) => number | null,
): ExperimentFigure {
  return {
    name,
    of: ({ example, output }) => {
      if (output === undefined) return null;
      const { answerability: label } = example.labels as ConversationalLabels;
      return of({ label, refused: (output as { readonly route?: string }).route === "refusal" });
    },
  };
}
