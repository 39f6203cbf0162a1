import type { ExperimentFigure } from "espalier";
import type { ConversationalLabels } from "../../../trainsets/conversational.ts";

/**
 * How far a gate keeps to the gold label, as AILS-NTUA measures it (table 6): the share of
 * answerable turns that it lets be answered, and of unanswerable ones that it refuses.
 */
export const answerabilityFigures: readonly ExperimentFigure[] = [
  { name: "answerable_recall", of: (row) => shareOf(row, "ANSWERABLE", !isRefused(row)) },
  { name: "unanswerable_recall", of: (row) => shareOf(row, "UNANSWERABLE", isRefused(row)) },
];

type Row = Parameters<ExperimentFigure["of"]>[0];

function isRefused({ output }: Row): boolean {
  return (output as { readonly route?: string } | undefined)?.route === "refusal";
}

function shareOf(
  { example, output }: Row,
  label: ConversationalLabels["answerability"],
  isRight: boolean,
): number | null {
  const { answerability } = example.labels as ConversationalLabels;
  return answerability === label && output !== undefined ? Number(isRight) : null;
}
