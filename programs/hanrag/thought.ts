import type { Text } from "espalier";
import { oneLine } from "espalier";

/** A sub-question and the answer found for it. */
export interface SolvedStep {
  readonly question: Text<"question">;
  readonly answer: Text<"answer">;
}

/** The solved steps as input for refiner, ending discriminator and aggregator. */
export function thoughtOf(steps: readonly SolvedStep[]): Text<"thought"> {
  if (steps.length === 0) return "nothing";
  return steps
    .map(
      ({ question, answer }, index) =>
        `Question ${index + 1}: ${stepLine(question)}\nAnswer ${index + 1}: ${stepLine(answer)}`,
    )
    .join("\n");
}

// With a line break, an answer could look like a separate step.
function stepLine(text: string): string {
  return oneLine(text) || "(none)";
}
